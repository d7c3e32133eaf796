import OddsFeed
import OddsModel
import Testing

@testable import Polymarket

// Tokens whose updates or images do not arrive, although the socket works.
extension MachineTests {
  private static let tokens = ["11", "12", "21", "22", "31", "32"]

  private static func withdrawn(_ tokens: some Sequence<String>, before time: Int64? = nil) -> String {
    String(decoding: SessionMessage.withdrawn(tokens.map { TokenID($0)! }, before: time), as: UTF8.self)
  }

  private static func operations(_ actions: [PolymarketMachine.Action]) -> [(name: String, tokens: [String])] {
    Run.operations(actions).filter { !$0.tokens.isEmpty }
  }

  /// The image of token 11 at a time.
  private static func image(at time: Int64) -> String {
    Run.image(TokenID("11")!).replacing(#""hash":"1""#, with: #""hash":"\#(time)","timestamp":"\#(time)""#)
  }

  @Test("stays live without a market, for which it has no socket")
  func noMarkets() {
    var run = Run()
    #expect(run.start([]).isEmpty && run.machine.state == .live)
    #expect(run.advance(by: .seconds(20)).filter { $0 == .alive }.count == 4)
    // With a market, its socket shows that the connection is alive.
    let request = Run.requests(run.apply(.subscribe(Run.detail)))[0]
    let link = Run.links(run.apply(.fetched(request: request, .success([Sample.game]))))[0]
    run.apply(.socket(.opened, link: link))
    #expect(!run.advance(by: .seconds(8)).contains(.alive))
  }

  @Test("withdraws the prices of resubscribed tokens if their images do not arrive")
  func unansweredSubscription() {
    var run = Run()
    let link = run.startLive()
    let request = Run.requests(run.apply(.subscribe(Run.detail)))[0]
    run.apply(.fetched(request: request, .success([Sample.game])))
    run.frame(Run.image(TokenID("11")!), link: link)
    #expect(Run.messages(run.advanceWithAnswers(by: .milliseconds(4900), link: link, hasImages: false)).isEmpty)
    let late = run.advanceWithAnswers(by: .milliseconds(100), link: link, hasImages: false)
    let withdrawn = Self.withdrawn(Self.tokens.dropFirst())
    #expect(Run.messages(late) == [withdrawn] && Run.messages(late, to: Run.detail) == [withdrawn])
    #expect(Self.operations(late).map(\.tokens) == [Array(Self.tokens.dropFirst()), Array(Self.tokens.dropFirst())])
    // Prices are withdrawn once, and images are requested repeatedly.
    let later = run.advanceWithAnswers(by: .seconds(40), link: link, hasImages: false)
    #expect(Run.messages(later).isEmpty && Self.operations(later).count == 4)
    #expect(run.frame(Run.image(TokenID("12")!), link: link).contains(.deliver(Run.live)))
    #expect(run.machine.shards[0].tokens[TokenID("12")!]?.isPresent == true)
  }

  @Test("requests images of tokens that are silent for 60 s, and withdraws their prices after another 5 s")
  func quietTokens() {
    var run = Run()
    let link = run.startLive()
    #expect(Self.operations(run.advanceWithAnswers(by: .seconds(30), link: link, hasImages: false)).isEmpty)
    // A frame of a token counts as activity.
    run.frame(#"{"event_type":"last_trade_price","asset_id":"11","price":"0.5"}"#, link: link)
    #expect(Self.operations(run.advanceWithAnswers(by: .milliseconds(29_900), link: link, hasImages: false)).isEmpty)
    let requested = run.advanceWithAnswers(by: .milliseconds(100), link: link, hasImages: false)
    #expect(Self.operations(requested).map(\.name) == ["unsubscribe", "subscribe"])
    #expect(Self.operations(requested).allSatisfy { Set($0.tokens) == Set(Self.tokens.dropFirst()) })
    for token in ["12", "21"] { run.frame(Run.image(TokenID(token)!), link: link) }
    let late = run.advanceWithAnswers(by: .seconds(5), link: link, hasImages: false)
    #expect(Run.messages(late) == [Self.withdrawn(["22", "31", "32"])] && run.machine.state == .live)
    // A server that answers keeps quiet tokens live.
    run = Run()
    let answered = run.startLive()
    #expect(
      Run.messages(run.advanceWithAnswers(by: .seconds(600), link: answered)).allSatisfy { !$0.contains("withdrawn") })
  }

  @Test("requests images of silent tokens in batches, and none while the reader lags behind")
  func manyQuietTokens() {
    var event = Sample.game
    event.markets = (0..<50).map { index in
      Sample.market(UInt64(100 + index), "points", ["Yes", "No"], ["\(1000 + index * 2)", "\(1001 + index * 2)"])
    }
    var run = Run()
    let link = run.startLive(event)
    for _ in 0..<20 {
      #expect(Self.operations(run.advance(by: .seconds(4))).isEmpty)
      run.apply(.unread(link: link))
    }
    #expect(Self.operations(run.advanceWithAnswers(by: .milliseconds(59_900), link: link)).isEmpty)
    var requested: [[String]] = []
    for _ in 0..<4 {
      let actions = run.advanceWithAnswers(by: .seconds(1), link: link)
      requested += Self.operations(actions).filter { $0.name == "subscribe" }.map(\.tokens)
    }
    #expect(requested.map(\.count) == [40, 40, 20])
    #expect(Set(requested.flatMap(\.self)) == Set(event.openTokens.map(\.description)))
  }

  @Test("requests another image if one is older than an unreadable update, and withdraws it from all readers")
  func imageBeforeLoss() {
    let change =
      #"{"event_type":"price_change","timestamp":"3","price_changes":[{"asset_id":"11","price":"0.5","size":"0","side":"SELL"}]}"#
    var run = Run()
    let link = run.startLive()
    run.frame(Self.image(at: 1), link: link)
    run.frame(change, link: link)
    run.frame(change.replacing(#""size":"0""#, with: #""size":"x""#).replacing(#""3""#, with: #""4""#), link: link)
    let old = run.frame(Self.image(at: 1), link: link)
    #expect(Run.messages(old) == [Self.withdrawn(["11"], before: 4)] && old.last == .deliver(Run.live))
    let sent = Self.operations(run.advanceWithAnswers(by: .seconds(5), link: link, hasImages: false))
    #expect(sent.map(\.tokens) == [["11"], ["11"]])
    #expect(Run.messages(run.frame(Self.image(at: 4), link: link)).isEmpty)
    #expect(Self.operations(run.advanceWithAnswers(by: .seconds(50), link: link, hasImages: false)).isEmpty)
  }

  @Test("withdraws an outdated image from a new topic, and from a topic after a loss")
  func imageBeforeTopic() {
    var run = Run()
    let link = run.startLive()
    run.frame(Self.image(at: 5), link: link)
    let request = Run.requests(run.apply(.subscribe(Run.detail)))[0]
    run.apply(.fetched(request: request, .success([Sample.game])))
    for token in Self.tokens.dropFirst() { run.frame(Run.image(TokenID(token)!), link: link) }
    let old = run.frame(Self.image(at: 4), link: link)
    #expect(Run.messages(old, to: Run.detail) == [Self.withdrawn(["11"], before: 5)])
    // The new topic has no price, so the image is requested again.
    let later = run.advanceWithAnswers(by: .seconds(5), link: link, hasImages: false)
    #expect(Self.operations(later).map(\.tokens) == [["11"], ["11"]])
    // The server has answered, so the other topic keeps its price.
    #expect(Run.messages(later, to: Run.live).isEmpty)
    let next = Run.links(run.apply(.socket(.closed(.lost), link: link)) + run.advance(by: .seconds(1)))[0]
    run.apply(.socket(.opened, link: next))
    #expect(Run.messages(run.frame(Self.image(at: 4), link: next)) == [Self.withdrawn(["11"], before: 5)])
    #expect(Run.messages(run.frame(Self.image(at: 5), link: next)).isEmpty)
    #expect(run.machine.shards[0].tokens[TokenID("11")!]?.isPresent == true)
  }
}
