import AccountModel
import OddsFeed
import OddsModel
import Testing

@testable import Betfair

@Suite("The session with Betfair")
struct MachineTests {
  private var run = MachineRun()

  /// Starts a session with a topic whose connection is open. Returns its link.
  private mutating func live(markets: [String] = []) -> Int {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let link = MachineRun.links(run.logIn())[0]
    run.open(link, markets: markets)
    return link
  }

  @Test("logs in, connects, authenticates and subscribes, and is live with the image")
  mutating func opening() {
    #expect(run.apply(.subscribe(MachineRun.football)) == [])
    #expect(MachineRun.logins(run.apply(.start)) == 1 && run.machine.state == .connecting(attempt: 1))
    let links = MachineRun.links(run.logIn())
    #expect(links.count == 1)
    let actions = run.open(links[0])
    #expect(MachineRun.sent(actions)[0].contains(#""appKey":"KEY","session":"TOKEN""#))
    #expect(MachineRun.sent(actions)[1].contains(#""eventTypeIds":["1"],"marketTypes":["MATCH_ODDS"]"#))
    #expect(MachineRun.states(actions) == [.handshaking, .live])
    #expect(actions.contains(.topic(MachineRun.football, .live)))
    #expect(MachineRun.messages(actions) == [MachineRun.image([], id: 2)])
  }

  @Test(
    "delivers its first image between names when they are answered, and without them 2 s later", arguments: [0, 1, 2])
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
      #expect(run.pass(BetfairTiming.names - .milliseconds(1)) == [])
      let late = run.pass(.milliseconds(1))
      #expect(MachineRun.messages(late) == lines && late.last == live)
    }
    #expect(run.line(#"{"op":"mcm","id":2,"clk":"C"}"#, link: link) == [.deliver(MachineRun.football)])
    // A later image does not wait.
    let next = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: link)) + run.pass(.seconds(1)))
    #expect(run.open(next[0], markets: ["1.6"], from: 3).contains(live))
  }

  @Test("waits for the names of all parts of its first image, and drops no line if the connection is lost meanwhile")
  mutating func heldParts() {
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
    #expect(!lost.contains(.topic(MachineRun.football, .live)))
    // The next connection continues at the last line, and waits for names again.
    let next = MachineRun.links(lost + run.pass(.seconds(1)))
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

  @Test("holds back at most 32 MB before its first image, and ends a wait with its topic")
  mutating func heldSize() {
    let link = live(markets: ["1.5"])
    let long = #"{"op":"mcm","id":2,"x":"\#(String(repeating: "x", count: HeldLines.maxSize / 4))"}"#
    let sizes = (0..<5).map { _ in MachineRun.messages(run.line(long, link: link)).count }
    #expect(sizes == [0, 0, 0, 5, 0])
    run.apply(.unsubscribe(MachineRun.football))
    run.apply(.subscribe(MachineRun.football))
    #expect(MachineRun.messages(run.apply(.unsubscribe(MachineRun.football))) == [])
  }

  @Test("asks for an image after a change that cannot be read, and with growing delays if that goes on")
  mutating func damage() {
    let link = live()
    func change(_ id: Int) -> String {
      #"{"op":"mcm","id":\#(id),"clk":"B","mc":[{"id":"1.5","rc":[{"id":1,"bdatb":[[0,"x",1]]}]}]}"#
    }
    for (number, delay) in [100, 200, 400].enumerated() {
      let id = number + 2
      #expect(run.line(change(id), link: link) == [.deliver(MachineRun.football)])
      #expect(MachineRun.sent(run.pass(.milliseconds(delay - 1))) == [])
      // A second one meanwhile changes nothing.
      run.line(change(id), link: link)
      let requests = MachineRun.sent(run.pass(.milliseconds(1)))
      #expect(requests.count == 1 && requests[0].contains(#""id":\#(id + 1),"#) && !requests[0].contains("clk"))
      // The prices of other markets stay as they are, and messages of the old subscription are not for them.
      #expect(run.machine.state == .live && run.line(change(id), link: link) == [])
      run.line(#"{"op":"status","id":\#(id + 1),"statusCode":"SUCCESS"}"#, link: link)
      run.line(MachineRun.image([], id: id + 1), link: link)
    }
    // Much later it is a new fault.
    for _ in 0..<15 {
      run.pass(.seconds(4))
      run.line(#"{"op":"mcm","id":5,"ct":"HEARTBEAT"}"#, link: link)
    }
    run.line(change(5), link: link)
    #expect(MachineRun.sent(run.pass(.milliseconds(100))).count == 1)
    // A connection that is lost before begins with an image.
    run.line(change(6), link: link)
    let next = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: link)))
    #expect(next.count == 1 && run.machine.deadline! > run.uptime)
    #expect(MachineRun.sent(run.open(next[0], from: 7)).allSatisfy { !$0.contains("clk") })
  }

  @Test("asks for updates that are merged over a time, of criteria and of a list")
  mutating func conflation() {
    run = MachineRun(conflateMs: 2500)
    #expect(MachineRun.sent(run.open(begin(), markets: []))[1].contains(#""heartbeatMs":5000,"conflateMs":2500,"#))
  }

  /// Begins a session with a topic. Returns the link that is being opened.
  private mutating func begin() -> Int {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    return MachineRun.links(run.logIn())[0]
  }

  @Test("replaces a connection at once if it had lasted, and after a growing delay if not")
  mutating func loss() {
    let link = live()
    // A heartbeat, so that the connection is not silent.
    run.pass(.seconds(3))
    let next = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: link)))
    #expect(next.count == 1)
    let failed = run.apply(.stream(.closed(MachineRun.lost), link: next[0]))
    guard case .waiting(let retry) = run.machine.state else { return #expect(Bool(false), "\(failed)") }
    #expect(retry.attempt == 2)
    #expect(
      MachineRun.links(run.pass(.milliseconds(99))) == [] && MachineRun.links(run.pass(.milliseconds(1))).count == 1)
  }

  @Test("gives up a connection after two heartbeats without a line, and after 12 s without a greeting")
  mutating func silence() {
    _ = live()
    #expect(MachineRun.links(run.pass(.milliseconds(9999))) == [])
    let links = MachineRun.links(run.pass(.milliseconds(1)))
    #expect(links.count == 1)
    run.pass(BetfairTiming.connect)
    if case .waiting = run.machine.state {} else { #expect(run.machine.state != .live) }
  }

  @Test("logs in again at once when the token is refused, and with delays if that is refused too")
  mutating func expired() {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let refusal = #"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_SESSION_INFORMATION"}"#
    var link = MachineRun.links(run.logIn("1"))[0]
    run.apply(.stream(.opened, link: link))
    #expect(MachineRun.logins(run.line(refusal, link: link)) == 1)
    link = MachineRun.links(run.logIn("2"))[0]
    run.apply(.stream(.opened, link: link))
    #expect(MachineRun.logins(run.line(refusal, link: link)) == 0)
    #expect(MachineRun.logins(run.pass(.seconds(1))) == 1)
  }

  @Test("does not repeat a login with a wrong password, not even at the user's wish")
  mutating func password() {
    run.apply(.start)
    guard case .pending(let request, _) = run.machine.login else { return #expect(Bool(false)) }
    run.apply(.login(request: request, .failure(LoginError(code: "INVALID_USERNAME_OR_PASSWORD"))))
    #expect(MachineRun.logins(run.pass(.seconds(3600)) + run.apply(.reconnect)) == 0)
    guard case .failed(let error) = run.machine.state else { return #expect(Bool(false)) }
    #expect(error.code == "betfairWrongPassword")
  }

  @Test("waits 20 minutes after too many logins, and with jitter after a failure that may pass")
  mutating func banned() {
    run.apply(.start)
    guard case .pending(let request, _) = run.machine.login else { return #expect(Bool(false)) }
    run.apply(.login(request: request, .failure(LoginError(code: "TEMPORARY_BAN_TOO_MANY_REQUESTS"))))
    #expect(MachineRun.logins(run.pass(.seconds(1199))) == 0 && MachineRun.logins(run.pass(.seconds(1))) == 1)
  }

  @Test("extends the login session every 15 minutes, and logs in again if it has ended")
  mutating func keepAlive() {
    run.apply(.start)
    run.logIn()
    let actions = run.pass(BetfairTiming.keepAlive)
    let requests = actions.compactMap { if case .keepAlive(_, let request) = $0 { request } else { nil } }
    #expect(requests.count == 1)
    #expect(MachineRun.logins(run.apply(.login(request: requests[0], .failure(LoginError(code: "NO_SESSION"))))) == 1)
  }

  @Test("asks for the names of defined markets in batches, one request at a time, and again after a failure")
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
    #expect(MachineRun.requests(run.pass(.milliseconds(999))).isEmpty)
    #expect(MachineRun.requests(run.pass(.milliseconds(101))).map(\.markets) == [["1.100"]])
  }

  @Test("subscribes to a list of markets if the criteria select too many, and follows the list")
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
      actions = run.pass(.seconds(5))
      run.line(#"{"op":"mcm","id":4,"ct":"HEARTBEAT"}"#, link: link)
    }
    guard let refresh = MachineRun.requests(actions).first else { return #expect(Bool(false), "\(actions)") }
    actions = run.apply(
      .catalogue(request: refresh.number, .success(Catalogue(markets: ["1.3"], result: Array("[]".utf8)))))
    #expect(MachineRun.sent(actions).first?.contains(#""marketFilter":{"marketIds":["1.3"]}"#) == true)
  }

  @Test("has the state of each topic while another is live")
  mutating func topics() {
    let link = live()
    let other = MachineRun.links(run.apply(.subscribe(MachineRun.event)))[0]
    #expect(run.machine.state == .recovering)
    run.open(other)
    #expect(run.machine.state == .live)
    run.pass(.seconds(3))
    let actions = run.apply(.stream(.closed(MachineRun.lost), link: link))
    #expect(actions.contains(.topic(MachineRun.football, .requested)) && run.machine.state == .recovering)
    #expect(run.apply(.unsubscribe(MachineRun.event)).contains(.close(link: other)))
  }

  @Test("refuses a topic that does not exist, and serves one without markets")
  mutating func noTopic() {
    run.apply(.start)
    run.logIn()
    let unknown = Subscription(topic: Topic(path: "/live/50"), generation: 3)
    guard case .topic(unknown, .refused(let error))? = run.apply(.subscribe(unknown)).first else {
      return #expect(Bool(false))
    }
    #expect(error.what.contains("/live/50"))
    let none = Subscription(topic: Topic(path: "/none"), generation: 4)
    #expect(run.apply(.subscribe(none)).contains(.topic(none, .live)) && run.machine.state == .live)
    #expect(run.pass(.seconds(5)).contains(.alive))
  }

  @Test("ends all attempts at a wrong application key until the user asks for another")
  mutating func key() {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let link = MachineRun.links(run.logIn())[0]
    run.apply(.stream(.opened, link: link))
    run.line(#"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_APP_KEY"}"#, link: link)
    guard case .failed(let error) = run.machine.state else { return #expect(Bool(false)) }
    #expect(error.code == "betfairKeyRefused" && MachineRun.links(run.pass(.seconds(60))).isEmpty)
    #expect(MachineRun.links(run.apply(.reconnect)).count == 1)
  }
}
