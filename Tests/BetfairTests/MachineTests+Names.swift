import OddsFeed
import OddsModel
import Testing

@testable import Betfair

// The names of markets, and the stream lines that wait for them.
extension MachineTests {
  @Test(
    "delivers its first image with names when they arrive, or without after a failure or 2 s", arguments: [0, 1, 2])
  mutating func firstNames(_ answer: Int) throws {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let link = MachineRun.links(run.logIn())[0]
    let actions = run.open(link, markets: ["1.5"])
    let live = BetfairMachine.Action.topic(MachineRun.football, .live)
    let request = try #require(MachineRun.requests(actions).first)
    #expect(MachineRun.messages(actions) == [] && !actions.contains(.deliver(MachineRun.football)))
    #expect(!actions.contains(live))
    let change = #"{"op":"mcm","id":2,"clk":"B"}"#
    #expect(run.line(change, link: link) == [])
    let lines = [MachineRun.image(["1.5"], id: 2), change]
    switch answer {
    case 0:
      let names = Catalogue(markets: ["1.5"], result: Array("[]".utf8))
      let named = run.apply(.catalogue(request: request.number, .success(names)))
      let text = String(decoding: SessionMessage.names(names.result), as: UTF8.self)
      #expect(MachineRun.messages(named) == [text] + lines + [text] && named.last == live)
    case 1:
      let error = CatalogueError(kind: .temporary, problem: MachineRun.lost.problem)
      let unnamed = run.apply(.catalogue(request: request.number, .failure(error)))
      #expect(MachineRun.messages(unnamed) == lines && unnamed.last == live)
    default:
      #expect(run.advance(by: BetfairTiming.names - .milliseconds(1)) == [])
      let late = run.advance(by: .milliseconds(1))
      #expect(MachineRun.messages(late) == lines && late.last == live)
    }
    #expect(run.line(#"{"op":"mcm","id":2,"clk":"C"}"#, link: link) == [.deliver(MachineRun.football)])
    // A later image does not wait.
    let next = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: link)) + run.advance(by: .seconds(1)))
    #expect(run.open(next[0], markets: ["1.6"], from: 3).contains(live))
  }

  @Test("waits for the names of all parts of its first image, and keeps its lines if the connection is lost")
  mutating func partsBeforeNames() {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let link = MachineRun.links(run.logIn())[0]
    run.apply(.stream(.opened, link: link))
    run.line(#"{"op":"connection"}"#, link: link)
    run.line(#"{"op":"status","id":1,"statusCode":"SUCCESS"}"#, link: link)
    run.line(#"{"op":"status","id":2,"statusCode":"SUCCESS"}"#, link: link)
    func part(_ market: String, _ segment: String) -> String {
      MachineRun.image([market], id: 2).replacing(#""ct""#, with: #""segmentType":"\#(segment)","ct""#)
    }
    let parts = [part("1.5", "SEG_START"), part("1.6", "SEG_END")]
    let first = MachineRun.requests(run.line(parts[0], link: link))
    #expect(first.map(\.markets) == [["1.5"]])
    let names = Catalogue(markets: ["1.5"], result: Array("[]".utf8))
    #expect(MachineRun.messages(run.apply(.catalogue(request: first[0].number, .success(names)))) == [])
    let second = run.line(parts[1], link: link)
    #expect(MachineRun.requests(second).map(\.markets) == [["1.6"]] && MachineRun.messages(second) == [])
    let text = String(decoding: SessionMessage.names(names.result), as: UTF8.self)
    let lost = run.apply(.stream(.closed(MachineRun.lost), link: link))
    #expect(MachineRun.messages(lost) == [text] + parts + [text])
    // The image is complete, so it is live until the loss.
    let reports = MachineRun.topicStates(lost, of: MachineRun.football)
    guard reports.count == 2, reports[0] == .live, case .retrying = reports[1] else {
      return #expect(Bool(false), "\(reports)")
    }
    // The next connection continues at the last line, and waits for names again.
    let next = MachineRun.links(lost + run.advance(by: .seconds(1)))
    run.apply(.stream(.opened, link: next[0]))
    run.line(#"{"op":"connection"}"#, link: next[0])
    let request = MachineRun.sent(run.line(#"{"op":"status","id":3,"statusCode":"SUCCESS"}"#, link: next[0]))
    #expect(request.count == 1 && request[0].contains(#""clk":"A""#))
    let delta = #"{"op":"mcm","id":4,"ct":"RESUB_DELTA"}"#
    #expect(MachineRun.messages(run.line(delta, link: next[0])) == [])
    let named = run.apply(.catalogue(request: MachineRun.requests(second)[0].number, .success(names)))
    #expect(MachineRun.messages(named) == [text, delta, text])
    #expect(named.contains(.topic(MachineRun.football, .live)))
  }

  @Test("holds back at most 32 MB of lines, and delivers none after the topic is unsubscribed")
  mutating func linesBeforeNames() {
    let link = startLive(markets: ["1.5"])
    let long = #"{"op":"mcm","id":2,"x":"\#(String(repeating: "x", count: PendingLines.maxSize / 4))"}"#
    let actions = (0..<5).map { _ in run.line(long, link: link) }
    #expect(actions.map { MachineRun.messages($0).count } == [0, 0, 0, 5, 0])
    // The image is complete, so its topic is live without the names.
    let reports = actions.map { MachineRun.topicStates($0, of: MachineRun.football) }
    #expect(reports == [[], [], [], [.live], []])
    run.apply(.unsubscribe(MachineRun.football))
    run.apply(.subscribe(MachineRun.football))
    #expect(MachineRun.messages(run.apply(.unsubscribe(MachineRun.football))) == [])
  }

  @Test("requests the names of defined markets in batches, one at a time, and retries after a failure")
  mutating func names() {
    let markets = (0..<250).map { "1.\($0 + 100)" }
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let link = MachineRun.links(run.logIn())[0]
    var requests = MachineRun.requests(run.open(link, markets: markets))
    #expect(requests.count == 1 && requests[0].markets == Array(markets.prefix(200)))
    #expect(MachineRun.requests(run.line(MachineRun.image(["1.100"], id: 2), link: link)).isEmpty)
    let answer = Catalogue(markets: ["1.100"], result: Array(#"[{"marketId":"1.100"}]"#.utf8))
    let actions = run.apply(.catalogue(request: requests[0].number, .success(answer)))
    requests = MachineRun.requests(actions)
    // The image replaced all markets but one.
    #expect(requests.map(\.markets) == [["1.100"]])
    let problem = CatalogueError(kind: .temporary, problem: FeedError("busy", remedy: "wait"))
    let failed = run.apply(.catalogue(request: requests[0].number, .failure(problem)))
    #expect(MachineRun.requests(failed).isEmpty)
    #expect(failed.contains(.message(MachineRun.football, SessionMessage.names(answer.result))))
    // Prices do not wait for names.
    #expect(run.machine.state == .live)
    #expect(MachineRun.requests(run.advance(by: .milliseconds(999))).isEmpty)
    #expect(MachineRun.requests(run.advance(by: .milliseconds(101))).map(\.markets) == [["1.100"]])
  }

  @Test("subscribes to a list of markets if the criteria select too many, and updates it each minute")
  mutating func limit() {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    var link = MachineRun.links(run.logIn())[0]
    run.apply(.stream(.opened, link: link))
    run.line(#"{"op":"connection"}"#, link: link)
    run.line(#"{"op":"status","id":1,"statusCode":"SUCCESS"}"#, link: link)
    var actions = run.line(
      #"{"op":"status","id":2,"statusCode":"FAILURE","errorCode":"SUBSCRIPTION_LIMIT_EXCEEDED"}"#, link: link)
    guard
      case .fetch(let subscription, 200, _, let request)? = actions.last(where: { MachineRun.requests([$0]).count == 1 }
      )
    else { return #expect(Bool(false), "\(actions)") }
    #expect(subscription.eventTypes == ["1"])
    let list = Catalogue(markets: ["1.1", "1.2"], result: Array("[]".utf8))
    actions = run.apply(.catalogue(request: request, .success(list)))
    link = MachineRun.links(actions)[0]
    #expect(MachineRun.sent(run.open(link, from: 3))[1].contains(#""marketFilter":{"marketIds":["1.1","1.2"]}"#))
    for _ in 0..<12 {
      actions = run.advance(by: .seconds(5))
      run.line(#"{"op":"mcm","id":4,"ct":"HEARTBEAT"}"#, link: link)
    }
    guard let refresh = MachineRun.requests(actions).first else { return #expect(Bool(false), "\(actions)") }
    actions = run.apply(
      .catalogue(request: refresh.number, .success(Catalogue(markets: ["1.3"], result: Array("[]".utf8)))))
    #expect(MachineRun.sent(actions).first?.contains(#""marketFilter":{"marketIds":["1.3"]}"#) == true)
  }

  /// The end of a subscription to one level without the stakes matched.
  private static let lightPrices =
    #""marketDataFilter":{"ladderLevels":1,"fields":["EX_BEST_OFFERS_DISP","EX_LTP","EX_MARKET_DEF"]}}"#

  @Test("subscribes with the levels and fields of its topic also at a position and for a list of markets")
  mutating func prices() throws {
    let light = Subscription(topic: Topic(path: "/levels/1/no-volumes/sports/1"), generation: 3)
    run.apply(.start)
    run.apply(.subscribe(light))
    var link = MachineRun.links(run.logIn())[0]
    #expect(MachineRun.sent(run.open(link))[1].hasSuffix(Self.lightPrices))
    run.advance(by: .seconds(3))
    link = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: link)))[0]
    let resumed = MachineRun.sent(run.open(link, from: 3))[1]
    #expect(resumed.contains(#""clk":"A""#) && resumed.hasSuffix(Self.lightPrices))
    let refusal = #"{"op":"status","id":4,"statusCode":"FAILURE","errorCode":"SUBSCRIPTION_LIMIT_EXCEEDED"}"#
    let limited = run.line(refusal, link: link) + run.advance(by: .zero)
    let request = try #require(MachineRun.requests(limited).first)
    let list = Catalogue(markets: ["1.1", "1.2"], result: Array("[]".utf8))
    let sent = MachineRun.sent(run.apply(.catalogue(request: request.number, .success(list))))
    #expect(sent.count == 1 && sent[0].contains(#""marketIds":["1.1","1.2"]"#) && sent[0].hasSuffix(Self.lightPrices))
    // With other levels it is another topic, which begins with an image.
    run.apply(.unsubscribe(light))
    let other = Subscription(topic: Topic(path: "/levels/2/no-volumes/sports/1"), generation: 4)
    link = MachineRun.links(run.apply(.subscribe(other)))[0]
    let first = MachineRun.sent(run.open(link))[1]
    #expect(first.contains(#""ladderLevels":2,"#) && !first.contains("clk"))
  }

  @Test("requests the markets of a topic with a limit before it connects, with growing delays while that fails")
  mutating func topicLimit() throws {
    let path = "/levels/1/no-volumes/sports/1/types/MATCH_ODDS/in-play/limit/2"
    let list = Subscription(topic: Topic(path: path), generation: 1)
    run.apply(.start)
    run.apply(.subscribe(list))
    var actions = run.logIn()
    #expect(run.machine.state == .connecting(attempt: 1))
    let failure = CatalogueError(kind: .temporary, problem: FeedError("busy", remedy: "wait"))
    for delay in [100, 200, 400] {
      let request = try #require(MachineRun.requests(actions).first)
      #expect(MachineRun.links(actions) == [])
      let failed = run.apply(.catalogue(request: request.number, .failure(failure)))
      let reports = MachineRun.topicStates(failed, of: list)
      guard case .retrying(let error, _)? = reports.last else { return #expect(Bool(false), "\(reports)") }
      #expect(error == failure.problem)
      #expect(MachineRun.requests(run.advance(by: .milliseconds(delay - 1))).isEmpty)
      actions = run.advance(by: .milliseconds(1))
    }
    guard
      case .fetch(let subscription, 2, _, let request)? = actions.first(where: { MachineRun.requests([$0]).count == 1 })
    else { return #expect(Bool(false), "\(actions)") }
    #expect(subscription.eventTypes == ["1"] && subscription.turnsInPlay == true)
    let markets = Catalogue(markets: ["1.1", "1.2", "1.3"], result: Array("[]".utf8))
    let links = MachineRun.links(run.apply(.catalogue(request: request, .success(markets))))
    let opened = run.open(try #require(links.first))
    #expect(MachineRun.sent(opened)[1].hasSuffix(#""marketFilter":{"marketIds":["1.1","1.2"]},"# + Self.lightPrices))
    #expect(MachineRun.topicStates(opened, of: list).last == .live && run.machine.state == .live)
  }

  @Test("waits for a connection of the account for a topic with a limit, also after a failed request for its markets")
  mutating func topicLimitWithoutConnection() throws {
    run.open(startConnecting(), available: 0)
    let list = Subscription(topic: Topic(path: "/sports/1/limit/2"), generation: 3)
    let first = try #require(MachineRun.requests(run.apply(.subscribe(list))).first)
    let failure = CatalogueError(kind: .temporary, problem: FeedError("busy", remedy: "wait"))
    run.apply(.catalogue(request: first.number, .failure(failure)))
    let second = try #require(MachineRun.requests(run.advance(by: .milliseconds(100))).first)
    let markets = Catalogue(markets: ["1.1"], result: Array("[]".utf8))
    let listed = run.apply(.catalogue(request: second.number, .success(markets)))
    let reports = MachineRun.topicStates(listed, of: list)
    guard case .retrying(FeedError.tooManyConnections, _)? = reports.last else {
      return #expect(Bool(false), "\(reports)")
    }
    #expect(MachineRun.links(listed + run.advance(by: .seconds(1))) == [])
    let ended = run.apply(.unsubscribe(MachineRun.football))
    #expect(MachineRun.links(ended + run.advance(by: .seconds(1))).count == 1)
  }

  /// Begins a session with a topic that selects too many markets. Returns the number of the request for a list.
  private mutating func exceedLimit() throws -> Int {
    let link = startConnecting()
    run.apply(.stream(.opened, link: link))
    let limited = run.line(
      #"{"op":"status","statusCode":"FAILURE","errorCode":"SUBSCRIPTION_LIMIT_EXCEEDED"}"#, link: link)
    return try #require(MachineRun.requests(limited).first).number
  }

  @Test("opens no connection for a list without markets, also if the user reconnects")
  mutating func emptyList() throws {
    let request = try exceedLimit()
    let list = Catalogue(markets: [], result: Array("[]".utf8))
    let actions = run.apply(.catalogue(request: request, .success(list)))
    #expect(MachineRun.links(actions + run.apply(.reconnect)) == [])
  }

  @Test("lets another topic have the connection that was closed for a list, when the list has no markets")
  mutating func connectionOfEmptyList() throws {
    let link = startConnecting()
    run.apply(.stream(.opened, link: link))
    run.line(#"{"op":"connection"}"#, link: link)
    run.line(#"{"op":"status","id":1,"statusCode":"SUCCESS","connectionsAvailable":0}"#, link: link)
    run.apply(.subscribe(MachineRun.event))
    let limited = run.line(
      #"{"op":"status","id":2,"statusCode":"FAILURE","errorCode":"SUBSCRIPTION_LIMIT_EXCEEDED"}"#, link: link)
    let request = try #require(MachineRun.requests(limited).first).number
    // The topic needs its connection again if the list has markets.
    #expect(MachineRun.links(limited + run.advance(by: .seconds(1))) == [])
    let list = Catalogue(markets: [], result: Array("[]".utf8))
    let emptied = run.apply(.catalogue(request: request, .success(list)))
    #expect(MachineRun.links(emptied + run.advance(by: .seconds(1))).count == 1)
  }

  @Test("shows why the list of markets cannot be requested, besides the limit")
  mutating func failedList() throws {
    let request = try exceedLimit()
    let failure = CatalogueError(kind: .temporary, problem: FeedError("no answer of the API", remedy: "check the API"))
    let actions = run.apply(.catalogue(request: request, .failure(failure)))
    let reports = MachineRun.topicStates(actions, of: MachineRun.football)
    guard case .retrying(let error, _)? = reports.last else { return #expect(Bool(false), "\(reports)") }
    #expect(error.code == "betfairNoMarketList" && error.message.contains("more markets"))
    #expect(error.message.hasSuffix(": no answer of the API") && error.remedy.hasSuffix("; check the API"))
  }

  @Test("requests a list of markets if the limit is exceeded while live, and subscribes on the same connection")
  mutating func limitWhileLive() {
    let link = startLive()
    let refusal = #"{"op":"status","id":2,"statusCode":"FAILURE","errorCode":"SUBSCRIPTION_LIMIT_EXCEEDED"}"#
    let limited = run.line(refusal, link: link) + run.advance(by: .zero)
    guard case .fetch(let subscription, 200, _, let request)? = limited.first, limited.count == 1 else {
      return #expect(Bool(false), "\(limited)")
    }
    #expect(subscription.eventTypes == ["1"] && run.machine.state == .live)
    let list = Catalogue(markets: ["1.1", "1.2"], result: Array("[]".utf8))
    let actions = run.apply(.catalogue(request: request, .success(list)))
    #expect(MachineRun.links(actions).isEmpty && !actions.contains(.close(link: link)))
    #expect(MachineRun.sent(actions).map { $0.contains(#""marketFilter":{"marketIds":["1.1","1.2"]}"#) } == [true])
    // A repeated refusal of the old subscription does not concern the new one.
    #expect(run.line(refusal, link: link) == [])
    run.line(#"{"op":"status","id":3,"statusCode":"SUCCESS"}"#, link: link)
    run.line(MachineRun.image(["1.1", "1.2"], id: 3), link: link)
    #expect(run.machine.state == .live)
    // The list is requested once a minute.
    let later = run.line(refusal, link: link) + run.advance(by: .seconds(5))
    #expect(MachineRun.requests(later).isEmpty && !later.contains(.close(link: link)))
  }

  @Test("requests the list of markets after a login, if the limit is exceeded while the login is renewed")
  mutating func limitDuringLogin() throws {
    run.apply(.start)
    for subscription in [MachineRun.football, MachineRun.event] { run.apply(.subscribe(subscription)) }
    let links = MachineRun.links(run.logIn())
    run.apply(.stream(.opened, link: links[1]))
    run.line(#"{"op":"connection"}"#, link: links[1])
    run.line(#"{"op":"status","id":1,"statusCode":"SUCCESS"}"#, link: links[1])
    let request = try #require(MachineRun.requests(run.open(links[0], markets: ["1.5"])).first)
    let expired = CatalogueError(kind: .expired, problem: FeedError("expired", remedy: "log in"))
    #expect(MachineRun.logins(run.apply(.catalogue(request: request.number, .failure(expired)))) == 1)
    let refusal = #"{"op":"status","id":2,"statusCode":"FAILURE","errorCode":"SUBSCRIPTION_LIMIT_EXCEEDED"}"#
    #expect(MachineRun.requests(run.line(refusal, link: links[1])).isEmpty)
    #expect(MachineRun.requests(run.advance(by: .seconds(1))).isEmpty)
    let lists = run.logIn("NEW").filter { action in
      if case .fetch(let subscription, 200, _, _) = action { subscription.events == ["29"] } else { false }
    }
    #expect(lists.count == 1)
  }
}
