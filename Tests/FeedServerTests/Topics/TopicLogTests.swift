import EveryMatrix
import FeedSimulator
import NIOCore
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

@Suite("The log of a topic")
struct TopicLogTests {
  private static let topic = Topic.aggregator(.popular, matches: 12)

  @Test("logs share a memory limit; the largest log drops its oldest messages, and its readers need a dump")
  func sharedMemory() {
    let memory = LogMemory(limit: 1280)
    let limits = ServerLimits()
    var logs = (0..<3).map { _ in TopicLog(limits: limits, memory: memory) }
    func message(_ bytes: Int) -> [[UInt8]] { [[UInt8](repeating: 0x20, count: bytes)] }
    for _ in 0..<6 { logs[0].append(message(100)) }
    for _ in 0..<3 { logs[1].append(message(100)) }
    #expect(memory.total == 9 * 128)
    logs[2].append(message(150))
    #expect(memory.total == 6 * 128 + 256)
    if case .lost = logs[0].news(after: 2) {} else { Issue.record("the largest log kept its older messages") }
    if case .messages(let kept, let last) = logs[0].news(after: 3) {
      #expect(kept.count == 3 && last == 6)
    } else {
      Issue.record("the largest log lost its newer messages")
    }
    if case .messages(let kept, _) = logs[1].news(after: 0) { #expect(kept.count == 3) } else { Issue.record("lost") }
    // A single log stays within the limit too.
    for _ in 0..<100 {
      logs[2].append(message(400))
      #expect(memory.total <= 1280)
    }
    logs[1].restart(after: 7)
    logs.removeFirst()
    #expect(memory.total <= 1280)
    logs = []
    #expect(memory.total == 0)
  }

  @Test(
    "a message counts with its allocated memory", arguments: Array(0...130) + [1 << 16, (1 << 16) + 1, 100_000])
  func memory(bytes: Int) {
    let memory = LogMemory(limit: 1 << 20)
    let log = TopicLog(limits: ServerLimits(), memory: memory)
    let message = [UInt8](repeating: 0x20, count: bytes)
    log.append([message])
    #expect(memory.total == ByteBuffer(bytes: message).storageCapacity)
    withExtendedLifetime(log) {}
  }

  @Test("conflated messages count toward the memory, and are dropped with their range")
  func conflatedMemory() {
    let memory = LogMemory(limit: 1 << 20)
    let log = TopicLog(limits: ServerLimits(), memory: memory)
    log.append((0..<300).map { _ in Array(FeedText.update(FeedText.odds(121, "2.5")).utf8) })
    let before = memory.total
    let message = log.conflate(TopicLog.Conflation(after: 0, upTo: 256))
    #expect(message != nil && memory.total == before + (message?.keptBytes ?? 0))
    _ = log.conflate(TopicLog.Conflation(after: 0, upTo: 256))
    #expect(memory.total == before + (message?.keptBytes ?? 0))
    log.restart(after: 300)
    #expect(memory.total == 0)
  }

  @Test("a reader at any position gets the state of the last message", arguments: [1, 2, 3, 5, 8] as [UInt64])
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var limits = ServerLimits()
    limits.conflatedFrom = Int.random(in: 1...6, using: &random)
    limits.keptMessages = Int.random(in: 10...25, using: &random)
    let log = TopicLog(limits: limits)
    var book = BookFeed(
      options: try SimulatorOptions(matches: 16, seed: seed, rate: 200, startTime: 1_750_000_000_000), uptime: 0)
    let isOpen = book.open(Self.topic)
    let build = book.dump(of: Self.topic)
    let dump = build?() ?? []
    #expect(isOpen && !dump.isEmpty)
    var truth = FeedReplica()
    truth.apply(dump)
    // Each reader has applied the messages up to its number.
    var readers: [(replica: FeedReplica, number: UInt64)] = [(truth, 0)]
    var uptime: UInt64 = 0
    var counts = (conflated: 0, lost: 0)
    for _ in 0..<60 {
      uptime += UInt64.random(in: 100_000_000...6_000_000_000, using: &random)
      let messages = book.advance(to: uptime).flatMap(\.messages)
      log.append(messages)
      for message in messages { truth.apply(message) }
      if Bool.random(using: &random) { readers.append((truth, log.last)) }
      let place = readers.indices.randomElement(using: &random)!
      try read(log, &readers[place], truth, &counts)
    }
    #expect(counts.conflated > 0 && counts.lost > 0)
  }

  /// Reads all messages that a reader lacks.
  private func read(
    _ log: TopicLog, _ reader: inout (replica: FeedReplica, number: UInt64), _ truth: FeedReplica,
    _ counts: inout (conflated: Int, lost: Int)
  ) throws {
    while true {
      switch log.news(after: reader.number) {
      case .none:
        let isSame = reader.replica.matches == truth.matches
        #expect(isSame)
        return
      case .messages(let messages, let last):
        for message in messages { reader.replica.apply(Array(message.readableBytesView)) }
        reader.number = last
      case .conflated(let range):
        #expect(range.after <= reader.number && reader.number < range.upTo)
        reader.replica.apply(Array(try #require(log.conflate(range)).readableBytesView))
        reader.number = range.upTo
        counts.conflated += 1
      case .lost:
        reader = (truth, log.last)
        counts.lost += 1
      case .ended:
        Issue.record("the log has not ended")
        return
      }
    }
  }

  @Test("readers at nearby positions share one conflated message")
  func shared() {
    var limits = ServerLimits()
    limits.conflatedFrom = 10
    let log = TopicLog(limits: limits)
    log.append((1...57).map { Array(FeedText.update(FeedText.odds(121, "\($0)")).utf8) })
    var ranges: Set<TopicLog.Conflation> = []
    for cursor in 20...29 as ClosedRange<UInt64> {
      guard case .conflated(let range) = log.news(after: cursor) else {
        Issue.record("\(cursor)")
        return
      }
      ranges.insert(range)
    }
    #expect(ranges == [TopicLog.Conflation(after: 20, upTo: 50)])
    #expect(log.conflated(ranges.first!) == nil)
    let message = log.conflate(ranges.first!)
    #expect(message.map { String(buffer: $0) } == FeedText.update(FeedText.odds(121, "50")))
    #expect(log.conflated(ranges.first!) == message)
  }

  @Test("after a gap, every reader needs a dump")
  func lost() {
    var limits = ServerLimits()
    limits.conflatedFrom = 10
    let log = TopicLog(limits: limits)
    log.append((1...40).map { Array(FeedText.update(FeedText.odds(121, "\($0)")).utf8) })
    if case .messages = log.news(after: 35) {} else { Issue.record("5 messages are pending") }
    #expect(log.follows(30) && !log.follows(29) && !log.follows(41))
    log.restart(after: 50)
    for cursor in [0, 30, 40, 49] as [UInt64] {
      if case .lost = log.news(after: cursor) {} else { Issue.record("\(cursor)") }
    }
    if case .none = log.news(after: log.last) {} else { Issue.record("nothing is pending") }
  }

  @Test("a reader whose dump is newer than the log gets the messages after the dump, once the log has them")
  func ahead() {
    let log = TopicLog(limits: ServerLimits())
    log.restart(after: 100)
    log.append((101...103).map { Array(FeedText.update(FeedText.odds(121, "\($0)")).utf8) })
    if case .none = log.news(after: 105) {} else { Issue.record("the log has nothing newer than the dump") }
    log.append((104...107).map { Array(FeedText.update(FeedText.odds(121, "\($0)")).utf8) })
    guard case .messages(let messages, let last) = log.news(after: 105) else {
      Issue.record("two messages follow the dump")
      return
    }
    #expect(messages.count == 2 && last == 107)
    #expect(String(buffer: messages[0]) == FeedText.update(FeedText.odds(121, "106")))
  }

  @Test("after its end, a log reports the end to every reader")
  func ended() {
    let log = TopicLog(limits: ServerLimits())
    log.append((1...3).map { Array(FeedText.update(FeedText.odds(121, "\($0)")).utf8) })
    log.end()
    for cursor in 0...4 as ClosedRange<UInt64> {
      if case .ended = log.news(after: cursor) {} else { Issue.record("\(cursor)") }
    }
  }
}
