import CLibrary
package import Localization

/// Operations on small files that only their owner may access. All of them block on the disk.
package enum PrivateFile {
  /// The suffix of temporary files.
  package static let temporary = ".tmp"

  /// Returns the content of a file; nil if it does not exist. Throws if it is a symbolic link, is no regular file or
  /// exceeds `maxBytes`; if `isSecret` is true, also unless it belongs to the user and only the owner has access.
  package static func read(_ path: String, maxBytes: Int, isSecret: Bool = false) throws(PrivateFileError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw errno == ELOOP ? .notPrivate : PrivateFileError(call: "open") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PrivateFileError(call: "fstat") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw PrivateFileError.isNone }
    guard !isSecret || status.st_uid == geteuid() && status.st_mode & 0o077 == 0 else { throw .notPrivate }
    guard status.st_size <= maxBytes else { throw PrivateFileError.tooLarge }
    let size = Int(status.st_size)
    guard let bytes = FileReading.bytes(of: descriptor, limit: size) else { throw PrivateFileError(call: "read") }
    guard bytes.count == size else { throw PrivateFileError.cutShort }
    return bytes
  }

  /// Replaces a file atomically, with owner-only access.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(PrivateFileError) {
    let temporary = "\(path).\(getpid())\(Self.temporary)"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFileError(call: "open") }
    do throws(PrivateFileError) {
      defer { close(descriptor) }
      var done = 0
      while done < bytes.count {
        let got = bytes.withUnsafeBytes { CLibrary.write(descriptor, $0.baseAddress! + done, $0.count - done) }
        if got < 0, errno != EINTR { throw PrivateFileError(call: "write") }
        done += max(0, got)
      }
      guard fsync(descriptor) == 0 else { throw PrivateFileError(call: "fsync") }
      guard rename(temporary, path) == 0 else { throw PrivateFileError(call: "rename") }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The number of damaged files that are kept.
  private static let maxDamaged = 10

  /// Renames a damaged file and returns its new path: with the suffix `.damaged`, or with a number if that exists.
  /// Replaces the last of them if there are too many. Returns nil if the file cannot be renamed, with the reason in
  /// `errno`.
  package static func setAside(_ path: String) -> String? {
    var aside = "\(path).damaged"
    var number = 2
    while access(aside, F_OK) == 0, number <= maxDamaged {
      aside = "\(path).damaged.\(number)"
      number += 1
    }
    return rename(path, aside) == 0 ? aside : nil
  }

  /// Creates a directory with owner-only access, and its missing parents.
  package static func makeDirectory(_ path: String) throws(PrivateFileError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw PrivateFileError(call: "mkdir")
    }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PrivateFileError(call: "mkdir") }
  }
}

/// The reason why a private file cannot be read or written.
package struct PrivateFileError: LocalizedMessageError, Hashable {
  package let sentence: LocalizedMessage

  private init(_ phrase: MessageKey) { sentence = LocalizedMessage(phrase) }

  /// Creates an error whose text appears in the log only.
  package init(_ text: String) { sentence = .verbatim(text) }

  /// The file is a symbolic link, belongs to another user, or is accessible to others.
  package static let notPrivate = PrivateFileError(.fileNotPrivate)

  fileprivate static let isNone = PrivateFileError(.fileIsNone)
  fileprivate static let tooLarge = PrivateFileError(.fileTooLarge)
  fileprivate static let cutShort = PrivateFileError(.fileCutShort)

  /// Creates an error from `errno` after a system call.
  package init(call: String) { sentence = .foreign("\(call): \(String(cString: strerror(errno)))") }
}
