#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A directory that is deleted with its content when it is released.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() {
    var name = Array("/tmp/toteboard-test-XXXXXX".utf8CString)
    precondition(mkdtemp(&name) != nil, "no directory can be made in /tmp")
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The names in a directory below it, sorted.
  package func names(in directory: String = "") -> [String] { Self.names("\(path)/\(directory)").sorted() }

  /// Writes a text to a file. Its name is a path below the directory; the directories in it must exist.
  package func write(_ text: String, to name: String) throws {
    guard let file = fopen("\(path)/\(name)", "w") else {
      throw Pty.SystemCallError(call: "open \(path)/\(name)", errno: errno)
    }
    let isAccepted = fputs(text, file) >= 0
    guard fclose(file) == 0, isAccepted else {
      throw Pty.SystemCallError(call: "write \(path)/\(name)", errno: errno)
    }
  }

  private static func names(_ path: String) -> [String] {
    guard let list = opendir(path) else { return [] }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  private static func remove(_ path: String) {
    for name in names(path) where unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
