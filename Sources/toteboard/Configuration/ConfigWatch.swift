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
  private let state = Locked(State())
  private let content: Locked<FileState>

  private struct State {
    var watch: DirectoryWatch?
    var isCancelled = false
  }

  /// Starts watching. Reports a change since `state`, which was read before the file itself; nil for the present state.
  /// `onChange` is called on a private queue.
  init(_ path: String, since state: FileState? = nil, onChange: @escaping @Sendable () -> Void) {
    self.path = path
    self.onChange = onChange
    content = Locked(state ?? FileState(path))
    // NB: On the queue, so that a change is handled only after the watch is stored.
    queue.sync { rearm() }
    // A change before the first watch has no event.
    queue.async { [weak self] in self?.compare() }
  }

  /// Ends watching. Does not wait for a call of `onChange` that is just being made; no other one follows.
  func cancel() { _ = end() }

  /// Ends watching together with the program.
  func cancelAtExit() {
    guard let watch = end() else { return }
    watch.closeAfterExit()
    // NB: Not released, because its cancellation would need another thread. The end of the process releases it.
    _ = Unmanaged.passRetained(watch)
  }

  /// Ends watching. Returns the watch if there is one.
  private func end() -> DirectoryWatch? {
    state.withLock { state in
      state.isCancelled = true
      return state.watch.take()
    }
  }

  /// Watches the directories as they are now. Has no effect if watching has ended.
  func rearm() {
    let directories = Self.directories(path)
    let new = DirectoryWatch(directories, on: queue) { [weak self] in self?.handleEvent() }
    state.withLock { if !$0.isCancelled { $0.watch = new } }
  }

  /// True while changes are reported.
  var isWatching: Bool { state.withLock { $0.watch != nil } }

  /// Handles a change in the directories. NB: rearms first, because the directories may have changed; a change in
  /// between is then reported too.
  private func handleEvent() {
    if !isWatching { return }
    rearm()
    compare()
  }

  /// Compares the file with its last state and reports a change.
  private func compare() {
    let new = FileState(path)
    let isOther = content.withLock { old in
      defer { if new.exists { old = new } }
      return new.exists && new != old
    }
    if isOther, isWatching { onChange() }
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
struct FileState: Equatable {
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
