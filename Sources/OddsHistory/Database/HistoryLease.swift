import CLibrary
import Localization
import Platform

/// The right to write a history file, which several processes can have at once.
///
/// A file beside the history, `history.db-lease`, has a shared lock of each writer. The last writer to close normally
/// stores the state of the history in it. A writer that starts alone and finds the history in another state reads the
/// whole history before it writes: a process was killed, the power failed, or another program has changed the file. So
/// does a writer that starts alone when the last such check is long ago; as there is no sign of damage then, it can
/// write meanwhile. No byte is written to a file that has failed the check.
final class HistoryLease {
  /// The time after which a file is checked in any case, in milliseconds.
  static let checkInterval: Int64 = 7 * 86_400_000

  /// A state of the history, as its last writer left it.
  private struct State: Equatable {
    var size: Int64
    /// The time of the last change in nanoseconds since 1970.
    var changed: Int64
    var number: UInt64

    init(_ status: stat) {
      size = Int64(status.st_size)
      #if canImport(Darwin)
        changed = Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
      #else
        changed = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
      #endif
      number = UInt64(status.st_ino)
    }

    /// Returns the state of a file; nil if it does not exist or is empty.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
      self.init(status)
    }

    var text: String { "\(size) \(changed) \(number)" }
  }

  private let file: HistoryFile
  /// The descriptor of the file with the lock; nil if the file system does not support locks, or the file cannot be
  /// opened.
  private let descriptor: Int32?

  /// True if the last check is long ago and the owner is to check the file.
  private(set) var isCheckDue = false

  /// Takes the lease, and checks the history if necessary.
  ///
  /// - Parameters:
  ///   - now: The time in milliseconds since 1970.
  ///   - defersCheck: True to leave a check that is due only because of the time to the owner: see `isCheckDue`.
  /// - Throws: `HistoryError`, of kind `damaged` if the check fails, and `busy` while another process checks the file.
  init(_ file: HistoryFile, now: Int64, defersCheck: Bool = false) throws(HistoryError) {
    self.file = file
    let path = file.path + "-lease"
    let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      descriptor = nil
      try Self.check(file)
      return
    }
    do throws(HistoryError) {
      switch try Self.lock(lock, file, now: now, defersCheck: defersCheck) {
      case .unsupported: descriptor = nil
      case .locked(let isCheckDue):
        descriptor = lock
        self.isCheckDue = isCheckDue
      }
    } catch {
      close(lock)
      throw error
    }
    if descriptor == nil { close(lock) }
  }

  /// The number of attempts to get the lease. A program that starts or ends at the same moment has an exclusive lock
  /// for a short time.
  private static let attempts = 40
  /// The pause between two attempts, in microseconds.
  private static let pause: UInt32 = 25_000

  private enum Locking {
    case locked(isCheckDue: Bool)
    /// The file system does not support locks.
    case unsupported
  }

  /// Gets a shared lock, after a check if no other process has one.
  private static func lock(
    _ lock: Int32, _ file: HistoryFile, now: Int64, defersCheck: Bool
  ) throws(HistoryError) -> Locking {
    var attempt = 1
    while true {
      do throws(HistoryError) { return try tryLock(lock, file, now: now, defersCheck: defersCheck) } catch {
        if error.kind != .busy || attempt == attempts { throw error }
        attempt += 1
        usleep(pause)
      }
    }
  }

  private static func tryLock(
    _ lock: Int32, _ file: HistoryFile, now: Int64, defersCheck: Bool
  ) throws(HistoryError) -> Locking {
    var isCheckDue = false
    if flock(lock, LOCK_EX | LOCK_NB) == 0 {
      let words = text(of: lock).split(separator: " ", maxSplits: 1)
      var checked = words.first.flatMap { Int64($0) } ?? 0
      let state = State(file.path)
      let isUnchanged = state == nil || words.count == 2 && words[1] == state?.text ?? ""
      let isOld = now - checked >= checkInterval || checked > now
      isCheckDue = isUnchanged && isOld && defersCheck
      if !isUnchanged || isOld && !defersCheck {
        try check(file)
        checked = now
      }
      write("\(checked)", to: lock)
      // NB: The change gives up the exclusive lock for a moment. A process that gets it then checks the file.
    } else if errno != EWOULDBLOCK {
      try check(file)
      return .unsupported
    }
    guard flock(lock, LOCK_SH | LOCK_NB) == 0 else {
      throw HistoryError(.busy, LocalizedMessage(.historyBusy, file.path))
    }
    return .locked(isCheckDue: isCheckDue)
  }

  /// Notes that the history was checked and is not damaged.
  func setChecked(at time: Int64) {
    isCheckDue = false
    // NB: While there are writers, the text is only read by the last one, at its end.
    if let descriptor { Self.write("\(time)", to: descriptor) }
  }

  private static func check(_ file: HistoryFile) throws(HistoryError) {
    do throws(HistoryError) { try file.check() } catch { if error.kind != .missing { throw error } }
  }

  private static func text(of lock: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = max(0, pread(lock, &bytes, bytes.count, 0))
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func write(_ text: String, to lock: Int32) {
    // NB: A partly written text matches no state.
    ftruncate(lock, 0)
    _ = pwrite(lock, text, text.utf8.count, 0)
  }

  /// Stores the state of the history if no other process writes it. Called when the database is closed normally.
  func end() {
    guard let descriptor, flock(descriptor, LOCK_EX | LOCK_NB) == 0, let state = State(file.path) else { return }
    let checked = Self.text(of: descriptor).split(separator: " ").first ?? "0"
    Self.write("\(checked) \(state.text)", to: descriptor)
  }

  deinit { if let descriptor { close(descriptor) } }
}
