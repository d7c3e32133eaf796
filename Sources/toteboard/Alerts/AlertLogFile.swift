import CLibrary
import JSONText
import Platform

/// The file of past alerts: one JSON object per line. Several programs can append to it at the same time, because each
/// line is one write. A full file is renamed, and replaces the one renamed before it.
struct AlertLogFile: Hashable, Sendable {
  private static let usualBytes = 1 << 20

  let path: String
  /// The greatest size in bytes. A file without room for the next line is renamed.
  private let maxBytes: Int
  /// The path to which a full file is renamed.
  var olderPath: String { "\(path).1" }

  init(_ path: String, maxBytes: Int = usualBytes) {
    self.path = path
    self.maxBytes = maxBytes
  }

  /// Creates the default file; nil if there is no directory for it.
  init?(environment: [String: String]) {
    guard let directory = XDGDirectory.state.path(environment) else { return nil }
    self.init("\(directory)/alerts.jsonl")
  }

  /// Appends a line, which ends with a newline.
  func append(_ line: [UInt8]) throws(PrivateFileError) {
    try PrivateFile.makeDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    let descriptor = try openForWriting(before: line.count)
    defer { close(descriptor) }
    let bytes = endsTorn(descriptor) ? [UInt8(ascii: "\n")] + line : line
    let written = withFileSizeErrors {
      var written: Int
      repeat { written = write(descriptor, bytes, bytes.count) } while written < 0 && errno == EINTR
      return written
    }
    if written < 0 { throw PrivateFileError(call: "write") }
    // On a full disk, only a part of the line may be written. The next call begins with a newline then.
    if written < bytes.count {
      errno = ENOSPC
      throw PrivateFileError(call: "write")
    }
  }

  /// Opens the file with room for some bytes.
  ///
  /// A program that appends has a shared lock, and one that renames the file an exclusive lock, so that no line goes to
  /// a file that has been replaced. No program waits for a lock: one that does not get it appends in any case.
  private func openForWriting(before count: Int) throws(PrivateFileError) -> Int32 {
    for _ in 0..<8 {
      let file = try openFile()
      let isLocked = flock(file, LOCK_SH | LOCK_NB) == 0
      var status = stat()
      if isLocked, fstat(file, &status) == 0, isCurrent(status) {
        if Int(status.st_size) + count <= maxBytes || !isRegular(status) { return file }
        // NB: the change of a lock gives up the shared one first. Another program may rename the file then.
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return file }
        if isCurrent(status), rename(path, olderPath) != 0 {
          defer { close(file) }
          throw PrivateFileError(call: "rename")
        }
      }
      close(file)
    }
    return try openFile()
  }

  private func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

  /// Returns true if the path still names a file.
  private func isCurrent(_ status: stat) -> Bool {
    var named = stat()
    return stat(path, &named) == 0 && named.st_ino == status.st_ino && named.st_dev == status.st_dev
  }

  private func openFile() throws(PrivateFileError) -> Int32 {
    let file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw errno == ELOOP ? .notPrivate : PrivateFileError(call: "open") }
    return file
  }

  /// Returns true if the last line lacks its end, because a program or the disk broke off within it.
  private func endsTorn(_ descriptor: Int32) -> Bool {
    var status = stat()
    var last = UInt8(0)
    return fstat(descriptor, &status) == 0 && status.st_size > 0 && pread(descriptor, &last, 1, status.st_size - 1) == 1
      && last != UInt8(ascii: "\n")
  }

  /// Returns the entries of both files, oldest first, and the number of lines that are no entry.
  func read() throws(PrivateFileError) -> (entries: [AlertLogEntry], damaged: Int) {
    // The newer file is opened first: if it is renamed meanwhile, it is the older one too, and is read once.
    let newer = openForReading(path)
    let older = openForReading(olderPath)
    defer { for file in [newer, older] where file >= 0 { close(file) } }
    let files = isSame(newer, older) ? [newer] : [older, newer]
    var entries: [AlertLogEntry] = []
    var damaged = 0
    for file in files where file >= 0 {
      // Programs that could not rename a file have written a little more.
      guard let bytes = FileReading.bytes(of: file, limit: 4 * maxBytes) else { throw PrivateFileError(call: "read") }
      bytes.withUnsafeBufferPointer { bytes in
        bytes.eachLine(in: 0..<bytes.count) { line in
          if line.isEmpty { return }
          if let entry = AlertLogEntry(UnsafeBufferPointer(rebasing: bytes[line])) {
            entries.append(entry)
          } else {
            damaged += 1
          }
        }
      }
    }
    return (entries, damaged)
  }

  private func openForReading(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }

  private func isSame(_ first: Int32, _ second: Int32) -> Bool {
    var (one, other) = (stat(), stat())
    return first >= 0 && second >= 0 && fstat(first, &one) == 0 && fstat(second, &other) == 0
      && one.st_ino == other.st_ino && one.st_dev == other.st_dev
  }
}
