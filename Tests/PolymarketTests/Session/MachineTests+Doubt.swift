import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Polymarket

// Prices that may be out of date: books that contradict their best prices, and events of a Gamma that does not answer.
extension MachineTests {
  @Test("asks for the image of a token whose book contradicts its best prices, ever later if that happens again")
  func disputedBook() {
    var run = Run()
    let link = run.startLive()
    let statement = #"{"event_type":"best_bid_ask","asset_id":"21","best_bid":"","best_ask":"0.4"}"#
    for limit: Duration in [.milliseconds(250), .milliseconds(500), .seconds(1)] {
      #expect(run.frame(statement, link: link).contains(.deliver(Run.live)))
      #expect(Run.operations(run.pass(limit - .milliseconds(1))).filter { !$0.tokens.isEmpty }.isEmpty)
      let sent = Run.operations(run.pass(.milliseconds(1))).filter { !$0.tokens.isEmpty }
      #expect(sent.map(\.name) == ["unsubscribe", "subscribe"] && sent.allSatisfy { $0.tokens == ["21"] })
      run.frame(Run.image(TokenID("21")!), link: link)
      run.apply(.socket(.pong, link: link))
    }
    // The change that explains the statement arrives in time.
    run.frame(statement, link: link)
    run.frame(
      #"{"event_type":"price_change","price_changes":[{"asset_id":"21","price":"0.4","size":"1","side":"SELL"}]}"#,
      link: link)
    #expect(Run.operations(run.pass(.seconds(4))).filter { !$0.tokens.isEmpty }.isEmpty)
  }

  @Test("asks for an image exactly of the tokens whose prices its decoders do not know", arguments: Laws.seeds(20))
  func images(seed: UInt64) {
    var run = Run()
    let link = run.startLive()
    var reader = Reader([Sample.game])
    for token in Sample.game.openTokens { reader.read(Run.image(token)) }
    var truth = MarketTruth(seed: seed)
    for _ in 0..<300 {
      let text = truth.next()
      var summaries = MarketEventReader()
      let summary = Array(text.utf8).withUnsafeBufferPointer { MarketSummary($0, &summaries) }
      guard let summary, summary.resolved.isEmpty, !text.contains("withdrawn"), !text.contains("events_changed")
      else { continue }
      run.apply(.socket(.market(summary), link: link))
      reader.read(text)
      for token in Sample.game.openTokens {
        let isPresent = run.machine.shards[0].tokens[token] == .present
        #expect(isPresent == (reader.decoder.tokens[token]?.book.knownOrders != nil))
      }
    }
  }

  @Test("says that prices are delayed after ten failed requests to Gamma, and suspends markets that may have ended")
  func staleGamma() {
    var event = Sample.game
    let start = 1_769_000_000_000 as Int64
    event.startTime = start - GammaEvent.maxGame + 1000 * 1000
    event.markets[0].endTime = start + 60_000
    event.markets[1].endTime = start + 86_400_000
    var run = Run()
    let link = run.startLive(event)
    var reader = Reader([event])
    for token in event.openTokens { reader.read(Run.image(token)) }
    var reports: [String] = []
    /// Lets the next request to Gamma end with a result.
    func answer(_ result: Result<[GammaEvent], FeedError>) {
      for _ in 0..<8 {
        let requests = Run.requests(run.pass(.seconds(4)))
        run.apply(.socket(.pong, link: link))
        guard let request = requests.first else { continue }
        let messages = Run.messages(run.apply(.fetched(request: request, result)))
        reports += messages
        return messages.forEach { reader.read($0) }
      }
      Issue.record("no request")
    }
    let error = FeedError("Gamma is gone", remedy: "wait")
    for _ in 0..<9 { answer(.failure(error)) }
    #expect(reports.isEmpty && reader.state.source == .live)
    answer(.failure(error))
    #expect(reports.count == 1 && reader.state.source == .impaired(.catalogueStale))
    // The result is past its end, the handicap is not, and the total has no end of its own.
    func areOpen() -> [Bool] { [5010, 5020, 5030].map { reader.outcome($0)?.isBettable == true } }
    #expect(areOpen() == [false, true, true] && reader.match()?.tradingStatus == .suspended)
    for _ in 0..<80 { answer(.failure(error)) }
    #expect(reports.count == 2 && areOpen() == [false, true, false])
    answer(.success([event]))
    #expect(reports.count == 3 && reader.state.source == .live && areOpen() == [true, true, true])
  }

  @Test("says so in the dump after a loss, too")
  func staleDump() throws {
    var run = Run()
    let link = run.startLive()
    run.apply(.reconnect)
    for _ in 0..<PolymarketTiming.maxFailures {
      let request = try #require(run.machine.entries[0].request)
      run.apply(.fetched(request: request, .failure(FeedError("Gamma is gone", remedy: "wait"))))
      run.apply(.reconnect)
    }
    let again = Run.links(run.apply(.socket(.closed(.lost), link: link)) + run.pass(.seconds(1)))[0]
    let dump = Run.messages(run.apply(.socket(.opened, link: again)))
    #expect(dump.count == 1 && dump[0].contains(#""stale":true"#))
    var reader = Reader()
    reader.read(dump[0])
    #expect(reader.state.source == .impaired(.catalogueStale))
  }
}
