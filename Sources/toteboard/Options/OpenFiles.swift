import CLibrary
import Localization

/// Checks of the files, pipes and sockets that the process can open or has open.
enum OpenFiles {
  /// The number of files that a command may open: more than any of them does.
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

  /// Opens /dev/null as standard error if that is closed. Otherwise a file or connection that the process opens would
  /// get its number, and notes would be written into it.
  static func openStandardError() {
    if fcntl(2, F_GETFD) >= 0 { return }
    let file = open("/dev/null", O_WRONLY)
    if file < 0 || file == 2 { return }
    _ = dup2(file, 2)
    close(file)
  }
}
