import EveryMatrix
import Logging
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import Platform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct BoardCacheTests {
  private static let now: Int64 = 1_750_752_000_000
  private static let topic = Topic.aggregator(.live, matches: 100)
  private let directory = TemporaryDirectory()
  private let log = CacheLogRecorder()

  private func cache(_ address: String = "wss://odds.example/v2", now: Int64 = now) -> BoardCache {
    BoardCache(directory: "\(directory.path)/a/toteboard", address: address, wall: { now }, log: log.logger)
  }

  private func channel(_ topic: Topic = topic, _ odds: String = "2.45") -> SavedChannel {
    var state = ChannelState()
    state.apply(.of(FeedText.dump(FeedText.football(odds: [odds, "3.1", "2.9"]))))
    return SavedChannel(topic: topic, state: state, heardAt: Self.now - 5)
  }

  private func price(_ board: CachedBoard?) -> String? {
    guard let board else { return nil }
    var state = ChannelState()
    state.apply(board.records)
    return state.match(100)?.markets[0].outcomes[0].offer?.odds?.description
  }

  private var files: [String] { directory.names(in: "a/toteboard") }

  private func path() throws -> String { "\(directory.path)/a/toteboard/\(try #require(files.first))" }

  private func overwrite(_ change: (inout [UInt8]) -> Void) throws {
    let path = try path()
    let file = try #require(fopen(path, "r+"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    change(&bytes)
    rewind(file)
    ftruncate(fileno(file), 0)
    fwrite(bytes, 1, bytes.count, file)
  }

  @Test("Reading returns the last saved board, with the time at which the channel last received data")
  func lastSaved() {
    #expect(cache().read(Self.topic) == nil)
    cache().save(channel())
    cache().save(channel(Self.topic, "3.5"))
    let board = cache().read(Self.topic)
    #expect(board?.savedAt == Self.now - 5)
    #expect(price(board) == "3.50")
    #expect(files.count == 1 && log.lines.isEmpty)
  }

  @Test("Only the owner can access the directory and its file")
  func owner() throws {
    cache().save(channel())
    var status = stat()
    stat("\(directory.path)/a/toteboard", &status)
    #expect(status.st_mode & 0o777 == 0o700)
    stat(try path(), &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("Each feed and each topic has its own board")
  func apart() {
    cache().save(channel())
    cache("ws://other/v2").save(channel(Self.topic, "4"))
    cache().save(channel(Topic(path: "/b"), "5"))
    #expect(price(cache().read(Self.topic)) == "2.45")
    #expect(price(cache("ws://other/v2").read(Self.topic)) == "4.00")
    #expect(price(cache().read(Topic(path: "/b"))) == "5.00")
    #expect(cache("ws://other/v2").read(Topic(path: "/b")) == nil)
  }

  private struct Corruption: Sendable {
    var why: String
    var change: @Sendable (inout [UInt8]) -> Void

    init(_ why: String, _ change: @escaping @Sendable (inout [UInt8]) -> Void) {
      self.why = why
      self.change = change
    }

    static let all = [
      Corruption("it is damaged") { $0[$0.count - 40] ^= 1 }, Corruption("it is damaged") { $0.removeLast(2) },
      Corruption("it is damaged") { $0.append(0x0A) },
      Corruption("it has another format or version") { $0.replace("\"version\":2", "\"version\":1") },
      Corruption("it is of another feed or topic") { $0.replace("odds.example", "odds.exampla") },
      Corruption("it is of another feed or topic") { $0.replace("live-", "love-") },
      Corruption("it is cut short") { $0.removeLast($0.count - 200) },
      Corruption("it has another format or version") { $0 = [] },
      Corruption("it has another format or version") { $0 = Array("{}\n".utf8) },
      Corruption("it has no date") { $0.replace("\"savedAt\":1750751999995", "\"savedAt\":-") },
    ]
  }

  @Test(
    "A file that is damaged, truncated, or of another version, feed or topic is logged, ignored and replaced",
    arguments: Corruption.all.indices)
  func damaged(place: Int) throws {
    let corruption = Corruption.all[place]
    cache().save(channel())
    try overwrite(corruption.change)
    #expect(cache().read(Self.topic) == nil)
    #expect(log.lines.count == 1 && log.lines[0].hasSuffix("is ignored: \(corruption.why)"), "\(log.lines)")
    cache().save(channel())
    #expect(price(cache().read(Self.topic)) == "2.45")
  }

  @Test("A symbolic link or a directory in place of the file is not read")
  func noFile() throws {
    cache().save(channel())
    let path = try path()
    rename(path, "\(directory.path)/elsewhere")
    symlink("\(directory.path)/elsewhere", path)
    #expect(cache().read(Self.topic) == nil)
    unlink(path)
    mkdir(path, 0o700)
    #expect(cache().read(Self.topic) == nil)
    #expect(log.lines.count == 2)
    cache().save(channel())
    #expect(log.lines.count == 3 && files.count == 1)
  }

  @Test("A directory that cannot be created is only logged")
  func noDirectory() {
    let cache = BoardCache(
      directory: "/dev/null/toteboard", address: "ws://a", wall: { Self.now }, log: log.logger)
    cache.save(channel())
    #expect(cache.read(Self.topic) == nil)
    #expect(log.lines.first?.contains("cannot be saved in '/dev/null/toteboard': mkdir") == true)
  }

  @Test("Saving deletes our files older than 30 days, including temporary ones, and no other files")
  func sweep() throws {
    cache().save(channel(Topic(path: "/old")))
    let folder = "\(directory.path)/a/toteboard"
    for name in ["board-1.json.7.tmp", "theirs.json"] { fclose(fopen("\(folder)/\(name)", "w")) }
    var time = timeval()
    gettimeofday(&time, nil)
    let month = Int64(time.tv_sec) * 1000 + BoardCache.longestAge
    cache(now: month - 60_000).save(channel())
    #expect(files.count == 4)
    cache(now: month + 60_000).save(channel(Topic(path: "/new")))
    #expect(files.count == 2 && files.contains("theirs.json"))
  }
}

extension [UInt8] {
  fileprivate mutating func replace(_ old: String, _ new: String) {
    guard let range = firstRange(of: Array(old.utf8)) else { return }
    replaceSubrange(range, with: Array(new.utf8))
  }
}

/// A log that keeps its messages in memory.
final class CacheLogRecorder: Sendable {
  private let recorded = Locked<[String]>([])

  var lines: [String] { recorded.withLock { $0 } }

  var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

  private struct Handler: LogHandler {
    let lines: CacheLogRecorder
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.recorded.withLock { $0.append("\(event.message)") } }
  }
}
