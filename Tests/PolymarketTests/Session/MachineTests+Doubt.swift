import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Polymarket

// Prices that may be out of date: books that contradict stated best prices, and events while Gamma does not answer.
extension MachineTests {
  @Test("requests the image of a token with disputed best prices, with growing delays if that repeats")
  func disputedBook() {
    var run = Run()
    let link = run.startLive()
    let statement = #"{"event_type":"best_bid_ask","asset_id":"21","best_bid":"","best_ask":"0.4"}"#
    let change =
      #"{"event_type":"price_change","price_changes":[{"asset_id":"21","price":"0.4","size":"1","side":"SELL"}]}"#
    // Disputes that a later change resolves do not count.
    for _ in 0..<20 {
      run.frame(statement, link: link)
      run.frame(change, link: link)
      run.frame(change.replacing(#""size":"1""#, with: #""size":"0""#), link: link)
    }
    let limits: [Duration] =
      (0..<8).map { .milliseconds(250) * (1 << $0) } + [.seconds(60), .seconds(60), .seconds(60)]
    for limit in limits {
      #expect(run.frame(statement, link: link).contains(.deliver(Run.live)))
      #expect(run.operations(with: "21", in: limit - .milliseconds(1), link: link).isEmpty)
      let sent = Run.operations(run.advance(by: .milliseconds(1))).filter { !$0.tokens.isEmpty }
      #expect(sent.map(\.name) == ["unsubscribe", "subscribe"] && sent.allSatisfy { $0.tokens == ["21"] }, "\(limit)")
      run.frame(Run.image(TokenID("21")!).replacing(#""hash":"1""#, with: #""hash":"2""#), link: link)
      run.apply(.socket(.pong, link: link))
    }
    // The change that explains the statement arrives in time.
    run.frame(statement, link: link)
    run.frame(change, link: link)
    #expect(Run.operations(run.advance(by: .seconds(4))).filter { !$0.tokens.isEmpty }.isEmpty)
  }

  @Test("requests an image for exactly the tokens whose prices its decoders do not know", arguments: Laws.seeds(20))
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
        let isPresent = run.machine.shards[0].tokens[token]?.isPresent
        #expect(isPresent == (reader.decoder.tokens[token]?.book.knownOrders != nil))
      }
    }
  }

  @Test("reports a stale catalogue 90 s after Gamma's last answer, and suspends markets that may have ended")
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
    var reports = 0
    func deliver(_ actions: [PolymarketMachine.Action]) {
      reports += Run.messages(actions).count
      for message in Run.messages(actions) { reader.read(message) }
    }
    /// Advances the time while each request to Gamma fails at once.
    func failRequests(forSeconds seconds: Int) {
      for _ in 0..<seconds {
        let actions = run.advance(by: .seconds(1))
        run.apply(.socket(.pong, link: link))
        run.answerImages(actions, link: link)
        deliver(actions)
        for request in Run.requests(actions) { deliver(run.apply(.fetched(request: request, Self.failure))) }
      }
    }
    // Repeated reconnect requests of the user do not make the events older.
    for _ in 0..<20 {
      let requests = Run.requests(run.apply(.reconnect))
      for request in requests { deliver(run.apply(.fetched(request: request, Self.failure))) }
    }
    failRequests(forSeconds: 89)
    #expect(reports == 0 && reader.state.source == .live)
    failRequests(forSeconds: 1)
    #expect(reports == 1 && reader.state.source == .impaired(.catalogueStale))
    // The result market is past its end, the handicap market is not, and the total market has no end.
    func areOpen() -> [Bool] { [5010, 5020, 5030].map { reader.outcome($0)?.isBettable == true } }
    #expect(areOpen() == [false, true, true] && reader.match()?.tradingStatus == .suspended)
    failRequests(forSeconds: 1000)
    #expect(reports == 2 && areOpen() == [false, true, false])
    let request = Run.requests(run.apply(.reconnect))
    deliver(run.apply(.fetched(request: request[0], .success([event]))))
    #expect(reports == 3 && reader.state.source == .live && areOpen() == [true, true, true])
    failRequests(forSeconds: 89)
    #expect(reports == 3 && reader.state.source == .live)
  }

  private static let failure: Result<[GammaEvent], FeedError> = .failure(
    FeedError("Gamma is gone", remedy: "wait"))

  @Test("reports a stale catalogue if Gamma leaves a request unanswered, also in the dump after a loss")
  func staleDump() throws {
    var run = Run()
    let link = run.startLive()
    #expect(run.messages(in: .seconds(89), link: link).isEmpty)
    #expect(run.messages(in: .seconds(1), link: link).count == 1)
    let again = Run.links(run.apply(.socket(.closed(.lost), link: link)) + run.advance(by: .seconds(1)))[0]
    let dump = Run.messages(run.apply(.socket(.opened, link: again)))
    #expect(dump.count == 1 && dump[0].contains(#""stale":true"#))
    var reader = Reader()
    reader.read(dump[0])
    #expect(reader.state.source == .impaired(.catalogueStale))
  }
}

extension MachineRun {
  /// The operations with a token in a span of time.
  fileprivate mutating func operations(with token: String, in span: Duration, link: Int) -> [[String]] {
    Self.operations(advanceWithAnswers(by: span, link: link)).map(\.tokens).filter { $0.contains(token) }
  }

  /// The messages of the session itself in a span of time.
  fileprivate mutating func messages(in span: Duration, link: Int) -> [String] {
    Self.messages(advanceWithAnswers(by: span, link: link))
  }
}
