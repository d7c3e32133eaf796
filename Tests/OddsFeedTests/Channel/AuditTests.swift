import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

@Suite(.timeLimit(.minutes(45)))
struct AuditTests {
  private let store = ChannelStore(topic: Topic(path: "/a"))

  private func apply(_ messages: String...) async { await store.apply(.lines(messages), at: 0) }

  @Test("An audit counts the matches that differ, corrects them, and reports only those to readers")
  func repair() async throws {
    await apply(FeedText.dump(FeedText.football(100), FeedText.football(200), FeedText.football(300)))
    let reader = ChannelReader(share: nil) {}
    await store.add(reader)
    _ = reader.drain()
    let report = await store.audit {
      await apply(FeedText.dump(FeedText.football(100), FeedText.football(200, odds: ["5", "6", "7"])))
    }
    #expect(report == AuditReport(matches: 2, divergences: 2))
    let changes = try #require(reader.drain())
    #expect(changes.changed.map(\.id) == [200])
    #expect(changes.removed == [300])
    let received = await store.received
    #expect((received.audits, received.divergences) == (1, 2))
  }

  @Test("An audit without differences reports no divergence, and readers receive no changed match")
  func nothing() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    let reader = ChannelReader(share: nil) {}
    await store.add(reader)
    _ = reader.drain()
    let report = await store.audit { await apply(FeedText.dump(FeedText.football(100))) }
    #expect(report == AuditReport(matches: 1, divergences: 0))
    #expect(reader.drain()?.changed.isEmpty == true)
  }

  @Test("Updates may arrive between the request for an audit's dump and the dump")
  func late() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    let requests = AsyncStream.makeStream(of: Void.self)
    let audit = Task { await store.audit { requests.continuation.yield() } }
    for await _ in requests.stream { break }
    await apply(FeedText.update(FeedText.odds(121, "5")))
    await apply(FeedText.dump(FeedText.football(100, odds: ["5", "3.1", "2.9"])))
    #expect(try await audit.cancellableValue?.divergences == 0)
  }

  @Test("An audit has no result if the connection is lost, a dump is already awaited, or the channel is released")
  func unanswered() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .live, pulse: .sound, time: 1))
    let lost = await store.audit {
      await store.lineChanged(ConnectionUpdate(number: 2, connection: .connecting(attempt: 1), pulse: .down, time: 2))
    }
    #expect(lost == nil)
    #expect(await store.audit { Issue.record("asked for a dump that is awaited anyway") } == nil)
    await apply(FeedText.dump(FeedText.football(100)))
    #expect(await store.audit { await store.close(at: 3) } == nil)
    #expect(await store.audit { Issue.record("asked for a channel that is released") } == nil)
  }

  @Test("An audit fails if the request for its dump fails, and the next audit succeeds")
  func failed() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    await #expect(throws: CancellationError.self) { try await store.audit { throw CancellationError() } }
    let report = await store.audit { await apply(FeedText.dump(FeedText.football(100, odds: ["5", "3.1", "2.9"]))) }
    #expect(report?.divergences == 1)
    #expect(await store.audits.isEmpty)
  }

  @Test("After a failed request for an audit's dump, the next dump is a normal one")
  func nothingLeftBehind() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    await #expect(throws: CancellationError.self) { try await store.audit { throw CancellationError() } }
    await apply(FeedText.dump(FeedText.football(100, odds: ["5", "3.1", "2.9"])))
    let received = await store.received
    #expect((received.audits, received.dumps) == (0, 2))
  }

  @Test("An audit is abandoned if more updates arrive than the buffer holds, because its dump would undo them")
  func tooMuch() async {
    var options = StoreOptions()
    options.bufferLimit = 3
    let store = ChannelStore(topic: Topic(path: "/a"), options: options)
    await store.apply(.lines([FeedText.dump(FeedText.football(100))]), at: 0)
    let report = await store.audit {
      for odds in ["5", "6", "7", "8", "9"] {
        await store.apply(.lines([FeedText.update(FeedText.odds(121, odds))]), at: 0)
      }
    }
    #expect(report == nil)
    #expect(await store.received.audits == 0)
    #expect(await store.snapshot().first?.mainMarket?.outcomes[0].offer?.odds?.description == "9.00")
    // The audit's dump still arrives, and is ignored.
    await store.apply(.lines([FeedText.dump(FeedText.football(100))]), at: 0)
    #expect(await store.snapshot().first?.mainMarket?.outcomes[0].offer?.odds?.description == "9.00")
    await store.apply(.lines([FeedText.dump(FeedText.football(100, odds: ["4", "3.1", "2.9"]))]), at: 0)
    #expect(await store.snapshot().first?.mainMarket?.outcomes[0].offer?.odds?.description == "4.00")
  }

  @Test("A dump older than the channel at the start of the audit ends the audit and reopens no suspended price")
  func oldDump() async throws {
    let dump = FeedText.dump(FeedText.football(100))
    await apply(dump)
    await apply(FeedText.update(FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)))
    #expect(await store.audit { await apply(dump) } == nil)
    #expect(await store.snapshot().first?.mainMarket?.outcomes[0].isBettable == false)
    // The same old dump, received once more, is not applied as a normal dump either.
    await apply(dump)
    #expect(await store.snapshot().first?.mainMarket?.outcomes[0].isBettable == false)
    let received = await store.received
    #expect((received.audits, received.divergences, received.dumps) == (0, 0, 1))
    let report = await store.audit { await apply(dump.replacing("1750752646168", with: "1750752647777")) }
    #expect(report?.divergences == 1)
    #expect(await store.snapshot().first?.mainMarket?.outcomes[0].isBettable == true)
  }

  @Test("A dump older than updates received during the audit is compared after they are applied to it")
  func dumpBeforeUpdates() async throws {
    let dump = FeedText.dump(FeedText.football(100))
    await apply(dump)
    let report = await store.audit {
      await apply(FeedText.update(FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)))
      await apply(dump)
    }
    #expect(report?.divergences == 0)
    #expect(await store.snapshot().first?.mainMarket?.outcomes[0].isBettable == false)
  }

  @Test("A cancelled audit stops waiting for its dump")
  func cancelled() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    let requests = AsyncStream.makeStream(of: Void.self)
    let audit = Task { await store.audit { requests.continuation.yield() } }
    for await _ in requests.stream { break }
    audit.cancel()
    #expect(try await audit.cancellableValue == nil)
  }
}
