#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is deleted when it is released.
package final class TemporaryFile: Sendable {
  package let path: String
  /// Open for reading and writing.
  package let descriptor: CInt

  /// Creates a file with a text.
  package init(_ text: String = "") {
    var name = Array("/tmp/toteboard-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    precondition(descriptor >= 0, "no file can be made in /tmp")
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    append(text)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  package func append(_ text: String) {
    let bytes = Array(text.utf8)
    lseek(descriptor, 0, SEEK_END)
    precondition(write(descriptor, bytes, bytes.count) == bytes.count, "'\(path)' cannot be written")
  }

  /// Overwrites the file from the beginning with a text.
  package func overwrite(_ text: String) {
    let bytes = Array(text.utf8)
    precondition(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, "'\(path)' cannot be written")
  }

  package func truncate(to size: Int) { ftruncate(descriptor, size) }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = pread(descriptor, &buffer, buffer.count, bytes.count), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
