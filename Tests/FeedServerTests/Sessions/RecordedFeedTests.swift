import Dispatch
import EveryMatrix
import FeedRecording
import FeedSimulator
import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite("A recording as a feed", .timeLimit(.minutes(45)))
struct RecordedFeedTests {
  private let page = Topic.aggregator(.popular, matches: 12)
  private static let second: UInt64 = 1_000_000_000

  /// Returns a recording of two minutes of a book, with a tick each second, and the matches at its end.
  private func recorded() throws -> (file: TemporaryFile, messages: Int, matches: [Match]) {
    var book = BookFeed(options: try SimulatorOptions(matches: 20, rate: 30, startTime: 1_750_000_000_000), uptime: 0)
    _ = book.open(page)
    var replica = FeedReplica()
    var lines = ""
    var count = 0
    func write(_ message: [UInt8], at second: UInt64) {
      replica.apply(message)
      count += 1
      let text = String(decoding: message, as: UTF8.self)
      lines += #"{"receivedAt":\#(1_750_000_000_000 + second * 1000),"topic":"\#(page)","message":\#(text)}"# + "\n"
    }
    write(try book.bytes(of: page), at: 0)
    for second in 1...120 as ClosedRange<UInt64> {
      for news in book.advance(to: second * Self.second) { for message in news.messages { write(message, at: second) } }
    }
    return (TemporaryFile(lines), count, replica.matches)
  }

  private func feed(_ file: TemporaryFile, loops: Bool = false) throws -> RecordedFeed {
    RecordedFeed(
      recording: try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()), loops: loops, uptime: 0)
  }

  @Test("plays each message when it is due, and its dump always matches the state of a listener")
  func play() throws {
    let (file, messages, matches) = try recorded()
    var feed = try feed(file)
    let isOpen = feed.open(page)
    #expect(isOpen)
    var replica = FeedReplica()
    var received = 0
    for half in 0...250 as ClosedRange<UInt64> {
      for news in feed.advance(to: half * Self.second / 2) {
        received += news.messages.count
        for message in news.messages { replica.apply(message) }
      }
      guard half.isMultiple(of: 40) else { continue }
      var late = FeedReplica()
      late.apply(try feed.bytes(of: page))
      #expect(late.matches == replica.matches)
    }
    #expect(received == messages)
    #expect(replica.matches == matches)
  }

  @Test("restarts with its first dump when it loops, which replaces the state")
  func loop() throws {
    let (file, messages, _) = try recorded()
    var feed = try feed(file, loops: true)
    _ = feed.open(page)
    var received: [[UInt8]] = []
    for second in 0...120 as ClosedRange<UInt64> {
      received += feed.advance(to: second * Self.second).flatMap(\.messages)
    }
    #expect(received.count == messages + 1)
    #expect(received.last == received.first)
    var (first, now) = (FeedReplica(), FeedReplica())
    first.apply(received[0])
    now.apply(try feed.bytes(of: page))
    #expect(first.matches == now.matches)
  }

  @Test(
    "plays one round per call if its rounds take no time, and does not restart while no topic is open",
    arguments: ["", #""receivedAt":5,"#])
  func emptyRounds(time: String) throws {
    let messages = [
      FeedText.dump(FeedText.football(odds: ["2", "3", "3"])), FeedText.update(FeedText.odds(121, "5")),
    ]
    let lines = messages.map { #"{\#(time)"topic":"\#(page)","message":\#($0)}"# + "\n" }
    var feed = try feed(TemporaryFile(lines.joined()), loops: true)
    var replica = FeedReplica()
    for message in messages { replica.apply(Array(message.utf8)) }
    for second in 0...2 as ClosedRange<UInt64> {
      let news = feed.advance(to: second * Self.second)
      #expect(news.isEmpty)
      var late = FeedReplica()
      late.apply(try feed.bytes(of: page))
      #expect(late.matches == replica.matches)
    }
    _ = feed.open(page)
    for second in 3...5 as ClosedRange<UInt64> {
      let received = feed.advance(to: second * Self.second).flatMap(\.messages)
      #expect(received.map { String(decoding: $0, as: UTF8.self) } == messages)
    }
    #expect(!feed.hasEnded)
  }

  @Test("has no dump of a topic that is not recorded, and sends nothing for a topic that is not open")
  func topics() throws {
    var feed = try feed(try recorded().file)
    let other = Topic.aggregator(.live, matches: 3)
    let (isOpen, dump) = (feed.open(other), feed.dump(of: other))
    #expect(!isOpen && dump == nil)
    #expect(feed.canonical(other) == other && feed.canonical(page) == page)
    let news = feed.advance(to: 60 * Self.second)
    #expect(news.isEmpty)
    let known = feed.dump(of: page)
    #expect(known != nil)
  }

  @Test("after a long gap, it continues at the current position of the loop and sends one dump")
  func longGap() throws {
    let (file, _, _) = try recorded()
    var (each, late) = try (feed(file, loops: true), feed(file, loops: true))
    var (replica, lateReplica) = (FeedReplica(), FeedReplica())
    _ = each.open(page)
    _ = late.open(page)
    for message in late.advance(to: 0).flatMap(\.messages) { lateReplica.apply(message) }
    let end: UInt64 = 1_237
    for second in 0...end {
      for news in each.advance(to: second * Self.second) { news.messages.forEach { replica.apply($0) } }
    }
    let messages = late.advance(to: end * Self.second).flatMap(\.messages)
    #expect(messages.count == 1)
    for message in messages { lateReplica.apply(message) }
    #expect(lateReplica.matches == replica.matches)
    for second in end + 1...end + 20 {
      for news in each.advance(to: second * Self.second) { news.messages.forEach { replica.apply($0) } }
      for news in late.advance(to: second * Self.second) { news.messages.forEach { lateReplica.apply($0) } }
    }
    #expect(lateReplica.matches == replica.matches)
  }

  @Test("after a long gap, it continues with the last due dump and does not read earlier messages")
  func skippedLines() throws {
    var lines = (0...100).map { index in
      let odds = "\(index + 2)"
      let message =
        index % 70 == 0
        ? FeedText.dump(FeedText.football(odds: [odds, "3", "3"])) : FeedText.update(FeedText.odds(121, odds))
      return #"{"receivedAt":\#(1_750_000_000_000 + index * 10_000),"topic":"\#(page)","message":\#(message)}"#
    }
    let file = TemporaryFile(lines.joined(separator: "\n") + "\n")
    let failed = Locked(false)
    var feed = RecordedFeed(
      recording: try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()), uptime: 0,
      onFailure: { _ in failed.withLock { $0 = true } })
    _ = feed.open(page)
    var replica = FeedReplica()
    for message in feed.advance(to: 0).flatMap(\.messages) { replica.apply(message) }
    for index in 1..<70 { lines[index] = String(repeating: "x", count: lines[index].utf8.count) }
    file.overwrite(lines.joined(separator: "\n"))
    let messages = feed.advance(to: 900 * Self.second).flatMap(\.messages)
    #expect(messages.count == 1)
    for message in messages { replica.apply(message) }
    var expected = FeedReplica()
    expected.apply(Array(FeedText.dump(FeedText.football(odds: ["92", "3", "3"])).utf8))
    #expect(expected.matches == replica.matches)
    let next = feed.advance(to: 910 * Self.second).flatMap(\.messages)
    #expect(next.count == 1)
    for message in next { replica.apply(message) }
    var fresh = FeedReplica()
    fresh.apply(try feed.bytes(of: page))
    #expect(fresh.matches == replica.matches)
    #expect(!failed.withLock { $0 })
  }

  @Test("after a long gap without a dump, it catches up in parts, sends nothing meanwhile, and ends with one dump")
  func longCatchUp() throws {
    let name = String(repeating: "x", count: 100_000)
    let lines = (0...100).map { index in
      let update = FeedText.change("MATCH", 100, #""venueName":"\#(name)","name":"A - \#(index)""#)
      let message = index == 0 ? FeedText.dump(FeedText.football()) : FeedText.update(update)
      return #"{"receivedAt":\#(1_750_000_000_000 + index * 10_000),"topic":"\#(page)","message":\#(message)}"#
    }
    var feed = try feed(TemporaryFile(lines.joined(separator: "\n") + "\n"))
    _ = feed.open(page)
    _ = feed.advance(to: 0)
    let now = 905 * Self.second
    // One call plays 16 pieces of 3 lines each.
    let first = feed.advance(to: now)
    #expect(first.isEmpty)
    var messages: [[UInt8]] = []
    for _ in 0..<10 where messages.isEmpty { messages = feed.advance(to: now).flatMap(\.messages) }
    #expect(messages.count == 1)
    #expect(String(decoding: messages.joined(), as: UTF8.self).contains("A - 90"))
  }

  @Test("a file that is overwritten while it is played ends the server, and its clients get GOODBYE")
  func overwritten() async throws {
    let file = try recorded().file
    let (failures, failed) = AsyncStream.makeStream(of: ServerError.self)
    // The recording begins in an hour, so that it does not end by itself however slow the test is.
    let now = DispatchTime.now().uptimeNanoseconds + 3600 * Self.second
    let feed = RecordedFeed(
      recording: try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()), uptime: now,
      onFailure: { failed.yield(ServerError("\($0)")) })
    let server = try await RunningServer.start(
      ServerOptions.withLongTimeouts, playing: feed, feedFailures: failures, logger: noOpLogger)
    let client = try await SocketClient.session(to: server.port)
    let registration = await client.register(page)
    #expect(registration != nil)
    file.overwrite(String(repeating: "x", count: file.bytes.count))
    server.feed.tick(uptime: now + 3600 * Self.second)
    var last: String?
    while let text = await client.text() { last = text }
    #expect(last == #"[6,{},"wamp.close.system_shutdown"]"#)
    let ending = Task { try await server.ended() }
    let failure = await #expect(throws: ServerError.self) { try await ending.cancellableValue }
    #expect(failure?.description == "\(RecordingError.overwritten)")
  }

  @Test("after its end, its clients get GOODBYE, and the server is not ready")
  func end() async throws {
    let file = try recorded().file
    // The recording begins in an hour, so that it does not end by itself however slow the test is.
    let now = DispatchTime.now().uptimeNanoseconds + 3600 * Self.second
    let feed = RecordedFeed(
      recording: try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()), uptime: now)
    #expect(feed.end == now + 120 * Self.second)
    try await withServer(feed) { options in
      options.limits.closeTime = .milliseconds(50)
    } _: { server in
      let client = try await SocketClient.session(to: server.port)
      let registration = await client.register(page)
      #expect(registration != nil)
      server.feed.tick(uptime: now + 10 * Self.second)
      #expect(try await HTTPResponse(server.port, "/readyz").status == 200)
      while server.feed.outage == nil {
        try Task.checkCancellation()
        server.feed.tick(uptime: now + 120 * Self.second)
      }
      var last: String?
      while let text = await client.text() { last = text }
      #expect(last == #"[6,{},"wamp.close.system_shutdown"]"#)
      let readiness = try await HTTPResponse(server.port, "/readyz")
      #expect(readiness.status == 503 && readiness.text == "recording ended\n")
      #expect(try await HTTPResponse(server.port, "/api/odds?topic=\(page)").status == 503)
    }
  }

  @Test("its end is noticed while no client has a topic; a loop has none")
  func unwatchedEnd() async throws {
    let line = #"{"receivedAt":1,"topic":"\#(page)","message":\#(FeedText.dump(FeedText.football()))}"#
    let file = TemporaryFile(line + "\n")
    #expect(try feed(file, loops: true).end == nil)
    try await withServer(try feed(file)) { server in
      while !Task.isCancelled, try await HTTPResponse(server.port, "/readyz").status != 503 { await Task.yield() }
    }
  }

  @Test("serves all topics of a recording, however many there are")
  func manyTopics() throws {
    let lines = (1...12).map {
      #"{"receivedAt":\#($0),"topic":"/\#($0)","message":\#(FeedText.dump(FeedText.football($0 * 100)))}"#
    }
    let file = TemporaryFile(lines.joined(separator: "\n") + "\n")
    var feed = RecordedFeed(
      recording: try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()), speed: .max, uptime: 0)
    _ = feed.advance(to: 0)
    for number in 1...12 {
      let topic = Topic(path: "/\(number)")
      let isOpen = feed.open(topic)
      let dump = feed.dump(of: topic).map { String(decoding: $0(), as: UTF8.self) } ?? ""
      #expect(isOpen && dump.contains(#""id":"\#(number * 100)""#))
    }
  }

  @Test("its dump has all changes of records, including cleared properties, deletions and unknown types")
  func state() {
    var state = RecordedState()
    for message in [
      #"{"version":"5","messageType":"INITIAL_DUMP","records":[{"_type":"NEW","id":"9","x":{"y":[1,"}"]}},{"_type":"MATCH","id":"1","name":"a","venue":"b"},{"_type":"MATCH","id":"2"}]}"#,
      #"{"version":"6","messageType":"UPDATE","records":[{"changeType":"UPDATE","entityType":"MATCH","id":"1","changedProperties":{"venue":null,"name":"\"c\"","z":1.50}},{"changeType":"DELETE","entityType":"MATCH","id":"2"},{"changeType":"CREATE","entityType":"SPORT","id":"3","entity":{"id":"3","name":"s"}}]}"#,
      #"{"version":"7","messageType":"UPDATE","records":[{"changeType":"UPDATE","entityType":"MATCH","id":"404","changedProperties":{}},5,{}]}"#,
      "no JSON", "[]", "",
    ] { Array(message.utf8).withUnsafeBufferPointer { state.apply($0) } }
    #expect(
      String(decoding: state.dump(), as: UTF8.self)
        == #"{"version":"7","format":"AGGREGATOR","messageType":"INITIAL_DUMP","records":[{"_type":"SPORT","id":"3","name":"s"},{"_type":"MATCH","id":"1","name":"\"c\"","statusId":"0","z":1.50},{"_type":"NEW","id":"9","x":{"y":[1,"}"]}}]}"#
    )
  }
}
