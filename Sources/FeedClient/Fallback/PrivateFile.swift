package import Localization
import Platform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Small files on the disk that are their owner's alone. All of it blocks for as long as the disk takes.
package enum PrivateFile {
  /// How the name of a file in the making ends.
  static let temporary = ".tmp"

  package struct Failure: LocalizedMessageError, Hashable {
    package let sentence: LocalizedMessage

    private init(_ phrase: MessageKey) { sentence = LocalizedMessage(phrase) }

    /// What only the log is told.
    init(_ text: String) { sentence = .verbatim(text) }

    /// It is a symbolic link, or others can read or change it.
    package static let notPrivate = Failure(.fileNotPrivate)

    fileprivate static let isNone = Failure(.fileIsNone)
    fileprivate static let tooLarge = Failure(.fileTooLarge)
    fileprivate static let cutShort = Failure(.fileCutShort)

    /// What the system says of its last call.
    init(call: String) { sentence = .foreign("\(call): \(String(cString: strerror(errno)))") }
  }

  /// What is in a file; nil where there is none. Where it is a secret, it must be its owner's alone.
  package static func read(_ path: String, mostBytes: Int, isSecret: Bool = false) throws(Failure) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw errno == ELOOP ? .notPrivate : Failure(call: "open") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(call: "fstat") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure.isNone }
    guard !isSecret || status.st_uid == geteuid() && status.st_mode & 0o077 == 0 else { throw .notPrivate }
    guard status.st_size <= mostBytes else { throw Failure.tooLarge }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let got = bytes.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress! + done, $0.count - done) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw got < 0 ? Failure(call: "read") : .cutShort }
      done += got
    }
    return bytes
  }

  /// Puts a file there for its owner alone, whole or not at all.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let temporary = "\(path).\(getpid())\(Self.temporary)"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(call: "open") }
    do throws(Failure) {
      defer { close(descriptor) }
      var done = 0
      while done < bytes.count {
        let got = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress! + done, $0.count - done) }
        if got < 0, errno != EINTR { throw Failure(call: "write") }
        done += max(0, got)
      }
      guard fsync(descriptor) == 0 else { throw Failure(call: "fsync") }
      guard rename(temporary, path) == 0 else { throw Failure(call: "rename") }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Makes the directory, for its owner alone, and those above it that are missing.
  package static func makeDirectory(_ path: String) throws(Failure) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw Failure(call: "mkdir")
    }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(call: "mkdir") }
  }
}
