import CLibrary
import Localization

/// The output file of a recording.
struct RecordingTarget {
  let descriptor: Int32
  /// The name of the file in error messages.
  let name: String

  /// Creates a new file; with `appends`, also opens an existing one. Pipes and devices are always opened. `-` is
  /// standard output.
  init(_ path: String, appends: Bool) throws {
    if path == "-" {
      guard fcntl(1, F_GETFD) >= 0 else { throw CommandError(.failureOutputClosed) }
      descriptor = 1
      name = CLILanguage.words(.standardOutput)
      return
    }
    name = path
    var file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_CREAT | O_EXCL, 0o644)
    if file < 0, errno == EEXIST {
      var status = stat()
      let isFile = stat(path, &status) < 0 || status.st_mode & S_IFMT == S_IFREG
      guard appends || !isFile else { throw CommandError(.failureFileExists, path) }
      file = open(path, (isFile ? O_RDWR | O_APPEND : O_WRONLY) | O_CLOEXEC)
    }
    guard file >= 0 else { throw CommandError(.failureUnrecordable, path, LocalizedMessage.ofLastCall) }
    descriptor = file
  }

  /// Returns true if the output is the regular file that the feed is read from; `-` is standard input.
  func isSame(as feed: String) -> Bool {
    var (own, other) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, (feed == "-" ? fstat(0, &other) : stat(feed, &other)) == 0 else { return false }
    return own.st_mode & S_IFMT == S_IFREG && own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  func end() { if descriptor != 1 { close(descriptor) } }

  /// Ends an incomplete last line, which a killed recorder may leave. The line stays, but nothing is appended to it.
  func endLine() throws {
    var last: UInt8 = 0x0A
    let end = lseek(descriptor, 0, SEEK_END)
    if end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != 0x0A { try Output.send([0x0A], to: descriptor) }
  }
}
