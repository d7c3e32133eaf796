import CLibrary
package import Logging
package import OddsModel
import Platform

/// A disk cache of the last board of each channel of one feed. Each board is a file that is replaced atomically.
///
/// Errors of a file or the disk are logged and otherwise treated as a missing file.
package struct BoardCache: Sendable {
  /// The largest size of a file that is read or written, in bytes.
  static let maxBytes = 64 << 20
  /// The age at which a file is deleted, in milliseconds since it was last written.
  static let longestAge: Int64 = 30 * 86_400_000

  private let directory: String
  private let address: String
  private let wall: @Sendable () -> Int64
  private let log: Logger

  /// Creates a cache for a feed. The directory is created with owner-only access when first needed.
  ///
  /// - Parameter wall: Returns the time of day, in milliseconds since 1970.
  package init(
    directory: String, address: String, wall: @escaping @Sendable () -> Int64 = ClientClock.wallTime,
    log: Logger = Logger(label: "toteboard.cache")
  ) {
    self.directory = directory
    self.address = address
    self.wall = wall
    self.log = log
  }

  /// Returns the saved board of a topic; nil if there is none that can be read. Blocks on the disk.
  package func read(_ topic: Topic) -> CachedBoard? {
    let file = CacheFile(address: address, topic: topic)
    let path = "\(directory)/\(file.name)"
    do {
      return try PrivateFile.read(path, maxBytes: Self.maxBytes).map(file.board)
    } catch {
      log.warning("the cached board '\(path)' is ignored: \(error)")
      return nil
    }
  }

  /// Saves a channel, replacing the board saved for its topic. Blocks on the disk.
  package func save(_ channel: SavedChannel) {
    do {
      try PrivateFile.makeDirectory(directory)
      sweep()
      var records = FeedBatch()
      channel.state.appendDump(to: &records)
      let file = CacheFile(address: address, topic: channel.topic)
      let bytes = file.text(CachedBoard(savedAt: channel.heardAt, records: records))
      guard bytes.count <= Self.maxBytes else {
        throw PrivateFileError("'\(channel.topic)' takes \(bytes.count >> 20) MiB, more than \(Self.maxBytes >> 20)")
      }
      try PrivateFile.replace("\(directory)/\(file.name)", with: bytes)
    } catch {
      log.warning("the board cannot be saved in '\(directory)': \(error)")
    }
  }

  /// Deletes cache files older than `longestAge`.
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
  /// The time of the last modification, in seconds since 1970.
  fileprivate var modificationTime: Int {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}
