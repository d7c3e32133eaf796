import Localization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The files, pipes and sockets that a process may have open at a time.
enum OpenFiles {
  /// More than any command opens.
  static let needed = 40

  /// Throws where there cannot be so many. The libraries below end the process where they cannot have theirs.
  static func check() throws {
    var files: [Int32] = []
    defer { files.forEach { close($0) } }
    for _ in 0..<needed {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw Failure(.failureTooFewFiles, LocalizedMessage.ofLastCall) }
      files.append(file)
    }
  }
}
