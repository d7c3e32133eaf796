import OddsFeed
import OddsModel
import TestSupport
import Testing

/// A second provider with a protocol that is not JSON, read into the store.
@Suite(.timeLimit(.minutes(45)))
struct ToyFeedTests {
  @Test("A provider's own decoder fills the store from a dump and an update, and counts an unreadable text")
  func store() async throws {
    let transport = ScriptedTransport(decoder: ToyDecoder())
    let provider = Provider(transport: transport)
    Task.detached { await provider.run() }
    let subscription = await provider.subscribe(to: Topic(path: "matches/2"))
    var changes = await subscription.changes().makeAsyncIterator()
    _ = await changes.next()
    let latest = try #require(transport.lastSubscription)
    transport.send("dump Ajax-Porto:2.5 Roma-Lyon:1.8", to: latest)
    let dump = try #require(await changes.next())
    #expect(dump.isLoaded && Set(dump.changed.map(\.name)) == ["Ajax - Porto", "Roma - Lyon"])
    transport.send("price 2 1.9", to: latest)
    let update = try #require(await changes.next())
    #expect(update.changed.map { $0.mainMarket?.outcomes[0].price } == ["1.90"])
    transport.send("nonsense", to: latest)
    transport.send("price 1 2.6", to: latest)
    #expect(await changes.next()?.received.unparsable == 1)
    await provider.stop()
  }
}
