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
    directory: String, address: String, wall: @escaping @Sendable () -> Int64 = ClientClock.wallTime,
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
      return try PrivateFile.read(path, mostBytes: Self.mostBytes).map(file.board)
    } catch {
      log.warning("the cached board '\(path)' is ignored: \(error)")
      return nil
    }
  }

  /// Saves a channel in place of what was saved of its topic before. Blocks for as long as the disk takes.
  package func save(_ channel: SavedChannel) {
    do {
      try PrivateFile.makeDirectory(directory)
      sweep()
      var json = JSONWriter()
      channel.state.writeDump(into: &json)
      let file = CacheFile(address: address, topic: channel.topic)
      let bytes = file.text(CachedBoard(savedAt: channel.heardAt, dump: json.bytes))
      guard bytes.count <= Self.mostBytes else {
        throw PrivateFile.Failure(
          "'\(channel.topic)' takes \(bytes.count >> 20) MiB, more than \(Self.mostBytes >> 20)")
      }
      try PrivateFile.replace("\(directory)/\(file.name)", with: bytes)
    } catch {
      log.warning("the board cannot be saved in '\(directory)': \(error)")
    }
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
