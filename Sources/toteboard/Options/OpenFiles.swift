import CLibrary
import Localization

/// A check of the number of files, pipes and sockets that the process can open.
enum OpenFiles {
  /// More than any command opens.
  static let needed = 40

  /// Throws if the process cannot open `needed` more files. Some libraries end the process if they cannot open theirs.
  static func check() throws {
    var files: [Int32] = []
    defer { files.forEach { close($0) } }
    for _ in 0..<needed {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw CommandError(.failureTooFewFiles, LocalizedMessage.ofLastCall) }
      files.append(file)
    }
  }
}
