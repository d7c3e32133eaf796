package import Logging
package import OddsFeed

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The last board of each channel of one feed, on the disk: a file for each, replaced whole or not at all.
///
/// Whatever is wrong with a file or the disk is logged, and otherwise as if nothing were there.
package struct BoardCache: Sendable {
  /// More than this is neither written nor read.
  static let mostBytes = 64 << 20
  /// A file that has not been written anew for so long is deleted.
  static let longestAge: Int64 = 30 * 86_400_000

  private let directory: String
  private let address: String
  private let wall: @Sendable () -> Int64
  private let log: Logger

  /// A cache in a directory that is made, for its owner alone, when first needed. `address` is the feed's; `wall` is the
  /// time of day in milliseconds since 1970.
  package init(
    directory: String, address: String, wall: @escaping @Sendable () -> Int64 = World.wallTime,
    log: Logger = Logger(label: "toteboard.cache")
  ) {
    self.directory = directory
    self.address = address
    self.wall = wall
    self.log = log
  }

  /// Where caches belong: `toteboard` in `$XDG_CACHE_HOME`, which has to be an absolute path, else in `~/.cache`; nil where
  /// there is no home either.
  package static func directory(_ environment: (String) -> String?) -> String? {
    if let base = environment("XDG_CACHE_HOME"), base.hasPrefix("/") { return "\(base)/toteboard" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.cache/toteboard"
  }

  /// What was saved of a topic last. Blocks for as long as the disk takes.
  package func read(_ topic: Topic) -> CachedBoard? {
    let file = CacheFile(address: address, topic: topic)
    let path = "\(directory)/\(file.name)"
    do {
      return try Self.bytes(of: path).map(file.board)
    } catch {
      log.warning("the cached board '\(path)' is ignored: \(error)")
      return nil
    }
  }

  /// Saves a channel in place of what was saved of its topic before. Blocks for as long as the disk takes.
  package func save(_ channel: SavedChannel) {
    do {
      try Self.makeDirectory(directory)
      sweep()
      var json = JSONWriter()
      channel.state.writeDump(into: &json)
      let file = CacheFile(address: address, topic: channel.topic)
      let bytes = file.text(CachedBoard(savedAt: channel.heardAt, dump: json.bytes))
      guard bytes.count <= Self.mostBytes else {
        throw Failure("'\(channel.topic)' takes \(bytes.count >> 20) MiB, more than \(Self.mostBytes >> 20)")
      }
      try Self.replace("\(directory)/\(file.name)", with: bytes)
    } catch {
      log.warning("the board cannot be saved in '\(directory)': \(error)")
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// What the system says of its last call.
    init(call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
  }

  // MARK: The disk

  /// Nil where there is no such file.
  private static func bytes(of path: String) throws(Failure) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw Failure(call: "open") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(call: "fstat") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("it is no file") }
    guard status.st_size <= mostBytes else { throw Failure("it is too large") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let got = bytes.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress! + done, $0.count - done) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw got < 0 ? Failure(call: "read") : Failure("it is being cut short") }
      done += got
    }
    return bytes
  }

  private static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let temporary = "\(path).\(getpid())\(CacheFile.temporary)"
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

  /// Makes the directory and those above it that are missing.
  private static func makeDirectory(_ path: String) throws(Failure) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw Failure(call: "mkdir")
    }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(call: "mkdir") }
  }

  /// Deletes our files that nobody has written for a long time.
  private func sweep() {
    guard let list = opendir(directory) else { return }
    defer { closedir(list) }
    let oldest = wall() - Self.longestAge
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard CacheFile.isOurs(name) else { continue }
      let path = "\(directory)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, Int64(status.modificationTime) * 1000 < oldest else { continue }
      unlink(path)
    }
  }
}

extension stat {
  /// In seconds since 1970.
  fileprivate var modificationTime: Int {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}
