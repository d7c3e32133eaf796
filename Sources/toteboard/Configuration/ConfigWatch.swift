import CLibrary
import Dispatch
import Platform

/// An observer of a file's content: written, replaced by another file, or created.
///
/// Watches the directory of the file, because editors replace files. If the directory is missing, watches its nearest
/// existing parent. For a link, also watches its target.
final class ConfigWatch: Sendable {
  private let path: String
  private let onChange: @Sendable () -> Void
  private let queue = DispatchQueue(label: "toteboard.config")
  private let watch = Locked<DirectoryWatch?>(nil)
  private let content: Locked<FileState>

  /// Starts watching. `onChange` is called on a private queue.
  init(_ path: String, onChange: @escaping @Sendable () -> Void) {
    self.path = path
    self.onChange = onChange
    content = Locked(FileState(path))
    rearm()
  }

  func cancel() { watch.withLock { $0 = nil } }

  /// Ends watching together with the program.
  func cancelAtExit() {
    guard let watch = watch.withLock({ $0.take() }) else { return }
    watch.closeAfterExit()
    // NB: Not released, because its cancellation would need another thread. The end of the process releases it.
    _ = Unmanaged.passRetained(watch)
  }

  private func rearm() {
    let directories = Self.directories(path)
    let new = DirectoryWatch(directories, on: queue) { [weak self] in self?.compare() }
    watch.withLock { $0 = new }
  }

  /// Compares the file with its last state and reports a change. NB: rearms first, because the directories may have
  /// changed; a change in between is then reported too.
  private func compare() {
    if watch.withLock({ $0 == nil }) { return }
    rearm()
    let new = FileState(path)
    let isOther = content.withLock { old in
      defer { if new.exists { old = new } }
      return new.exists && new != old
    }
    if isOther { onChange() }
  }

  /// Returns the directories to watch, each with the relevant names in it.
  private static func directories(_ path: String) -> [String: Set<String>] {
    var directories: [String: Set<String>] = [:]
    func add(_ path: String) {
      var path = path
      while let slash = path.lastIndex(of: "/") {
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        if access(directory, F_OK) == 0 {
          directories[directory, default: []].insert(String(path[path.index(after: slash)...]))
          return
        }
        path = directory
      }
      directories[".", default: []].insert(path)
    }
    add(path)
    if let end = realpath(path, nil) {
      add(String(cString: end))
      free(end)
    }
    return directories
  }
}

/// The identity of a file's content, compared without reading it.
private struct FileState: Equatable {
  var exists = false
  private var identity: [Int64] = []

  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    exists = true
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    identity = [
      Int64(status.st_dev), Int64(status.st_ino), Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec),
    ]
  }
}
