import Dispatch
import Platform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Calls back when a file has other content: written, replaced by another one, or made where none was.
///
/// What is watched is its directory, as editors put a new file in the old one's place; where there is none yet, the one in
/// which it will be made; where the file is a link, what that leads to, too.
final class ConfigWatch: Sendable {
  private let path: String
  private let onChange: @Sendable () -> Void
  private let queue = DispatchQueue(label: "toteboard.config")
  private let watch = Locked<DirectoryWatch?>(nil)
  private let content: Locked<FileState>

  /// Looks from now on; `onChange` is called on a thread of its own.
  init(_ path: String, onChange: @escaping @Sendable () -> Void) {
    (self.path, self.onChange) = (path, onChange)
    content = Locked(FileState(path))
    rearm()
  }

  func cancel() { watch.withLock { $0 = nil } }

  private func rearm() {
    let places = Self.places(path)
    let new = DirectoryWatch(places, on: queue) { [weak self] in self?.look() }
    watch.withLock { $0 = new }
  }

  /// NB: whatever comes between is looked at once more, as the directories may be others now.
  private func look() {
    if watch.withLock({ $0 == nil }) { return }
    rearm()
    let new = FileState(path)
    let isOther = content.withLock { old in
      defer { if new.exists { old = new } }
      return new.exists && new != old
    }
    if isOther { onChange() }
  }

  /// Directories, each with the names in it that matter.
  private static func places(_ path: String) -> [String: Set<String>] {
    var places: [String: Set<String>] = [:]
    func add(_ path: String) {
      var path = path
      while let slash = path.lastIndex(of: "/") {
        let (directory, name) = (
          slash == path.startIndex ? "/" : String(path[..<slash]), path[path.index(after: slash)...]
        )
        if access(directory, F_OK) == 0 {
          places[directory, default: []].insert(String(name))
          return
        }
        path = directory
      }
      places[".", default: []].insert(path)
    }
    add(path)
    if let end = realpath(path, nil) {
      add(String(cString: end))
      free(end)
    }
    return places
  }
}

/// What tells one content of a file from another without reading it.
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
