import EveryMatrix
import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite("The size of a dump", .timeLimit(.minutes(45)))
struct DumpSizeTests {
  private let dump = FeedText.dump(FeedText.football())

  @Test("a dump above the limit is refused for good, and the session, its topic and the lists go on")
  func tooLarge() async throws {
    let most = dump.utf8.count - 1
    let script = ScriptedFeed(dump: dump)
    try await withServer(script, { $0.limits.dumpSize = most }) { server in
      let client = try await SocketClient.session(to: server.port)
      #expect(await client.register(ScriptedFeed.topic) == 1)
      client.send(.call(request: 7, procedure: WAMPMessage.dumpProcedure, topic: ScriptedFeed.topic.path))
      let answer = await client.text() ?? ""
      #expect(answer.hasPrefix("[8,48,7,") && answer.contains(WAMPMessage.URI.invalidArgument), "\(answer)")
      #expect(answer.contains("exceeds '\(most)' bytes"), "\(answer)")
      #expect(server.hub.unsent.total == 0)
      let update = FeedText.update(FeedText.odds(121, "2.5"))
      script.schedule(update)
      server.feed.tick()
      #expect(await client.nextUpdate() == update)
      #expect(try await HTTPResponse(server.port, "/api/odds?topic=\(ScriptedFeed.topic)").status == 200)
    }
  }

  @Test("a dump that waits for the limit of unsent bytes and becomes too large is refused, and no bytes stay reserved")
  func grown() async throws {
    var limits = ServerLimits()
    limits.dumpSize = dump.utf8.count
    limits.unsentBytesOfAddress = 1
    limits.dumpAge = .zero
    let script = ScriptedFeed(dump: dump)
    let source = PlayedSource(playing: ScriptedFeed.Feed(script: script))
    let hub = FeedHub(source: source, limits: limits, loops: [], metrics: ServerMetrics())
    let results = Locked<[Result<TopicDump, TopicError>]>([])
    let joined: Result<FeedHub.Joined, TopicError> = try await completionValue {
      hub.join(ScriptedFeed.topic, from: "1", completion: $0)
    }
    _ = try joined.get()
    hub.reserveDump(ofCanonical: ScriptedFeed.topic, from: "1") { result in results.withLock { $0.append(result) } }
    while !Task.isCancelled, results.withLock({ $0.isEmpty }) { await Task.yield() }
    // It has the dump at once, and waits until the first one is sent.
    hub.reserveDump(ofCanonical: ScriptedFeed.topic, from: "1") { result in results.withLock { $0.append(result) } }
    #expect(results.withLock { $0.count } == 1 && hub.unsent.total == dump.utf8.count)
    let larger = FeedText.dump(FeedText.football(), FeedText.odds(121, "3.5"))
    script.schedule(FeedText.update(FeedText.odds(121, "3.5")), dump: larger)
    source.tick()
    hub.unsent.release(dump.utf8.count, of: "1")
    while !Task.isCancelled, results.withLock({ $0.count }) < 2 { await Task.yield() }
    #expect(throws: TopicError.tooLarge(limits.dumpSize)) { try results.withLock { $0 }.last?.get() }
    #expect(hub.unsent.total == 0)
  }
}
