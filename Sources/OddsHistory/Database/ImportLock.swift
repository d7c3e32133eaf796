import CLibrary
import Localization

/// A lock on a file beside the history, `history.db-import`, with which imports keep other processes from removing old
/// changes. The changes that an import adds can be older than the limits, so that another process would remove them at
/// once. The importer also keeps the ids of rows between two batches. Imports share the lock; a step that removes
/// changes has it alone.
final class ImportLock {
  /// The number of attempts of an import to get the lock. A step that removes changes has it for a short time.
  private static let attempts = 80
  /// The pause between two attempts, in microseconds.
  private static let pause: UInt32 = 25_000

  /// The descriptor of the file with the lock; nil if the file system does not support locks, or the file cannot be
  /// opened.
  private let descriptor: Int32?

  private init(_ descriptor: Int32?) { self.descriptor = descriptor }

  deinit { if let descriptor { close(descriptor) } }

  /// Gets the lock for an import.
  ///
  /// - Throws: `HistoryError` of kind `busy` if another process does not release it.
  static func shared(_ path: String) throws(HistoryError) -> ImportLock {
    for _ in 0..<attempts {
      if let lock = attempt(path, LOCK_SH) { return lock }
      usleep(pause)
    }
    throw HistoryError(.busy, LocalizedMessage(.historyBusy, path))
  }

  /// Runs `body`, which removes old changes. Returns nil without a call while an import or another such step is in
  /// progress.
  static func unlessImporting<Result>(
    _ path: String, _ body: () throws(HistoryError) -> Result
  ) throws(HistoryError) -> Result? {
    guard let lock = attempt(path, LOCK_EX) else { return nil }
    let result = try body()
    withExtendedLifetime(lock) {}
    return result
  }

  /// Tries once to get the lock. Returns nil if it is held elsewhere.
  private static func attempt(_ path: String, _ mode: Int32) -> ImportLock? {
    let file = open(path + "-import", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return ImportLock(nil) }
    if flock(file, mode | LOCK_NB) == 0 { return ImportLock(file) }
    let isLocked = errno == EWOULDBLOCK
    close(file)
    return isLocked ? nil : ImportLock(nil)
  }
}
