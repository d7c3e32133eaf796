import AccountModel
import OddsFeed
import OddsModel
import Testing

@testable import Betfair

@Suite("The session with Betfair")
struct MachineTests {
  var run = MachineRun()

  /// Starts a session with a topic whose connection is open. Returns its link.
  mutating func startLive(markets: [String] = []) -> Int {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let link = MachineRun.links(run.logIn())[0]
    run.open(link, markets: markets)
    return link
  }

  @Test("logs in, connects, authenticates and subscribes, and is live when the image arrives")
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

  @Test("requests an image after an unreadable change, with growing delays if that repeats")
  mutating func damage() {
    let link = startLive()
    func change(_ id: Int) -> String {
      #"{"op":"mcm","id":\#(id),"clk":"B","mc":[{"id":"1.5","rc":[{"id":1,"bdatb":[[0,"x",1]]}]}]}"#
    }
    for (number, delay) in [100, 200, 400].enumerated() {
      let id = number + 2
      #expect(run.line(change(id), link: link) == [.deliver(MachineRun.football)])
      #expect(MachineRun.sent(run.advance(by: .milliseconds(delay - 1))) == [])
      // A second unreadable change meanwhile has no effect.
      run.line(change(id), link: link)
      let requests = MachineRun.sent(run.advance(by: .milliseconds(1)))
      #expect(requests.count == 1 && requests[0].contains(#""id":\#(id + 1),"#) && !requests[0].contains("clk"))
      // Other markets keep their prices, and messages of the old subscription are ignored.
      #expect(run.machine.state == .live && run.line(change(id), link: link) == [])
      run.line(#"{"op":"status","id":\#(id + 1),"statusCode":"SUCCESS"}"#, link: link)
      run.line(MachineRun.image([], id: id + 1), link: link)
    }
    // After a minute the delays start over.
    for _ in 0..<15 {
      run.advance(by: .seconds(4))
      run.line(#"{"op":"mcm","id":5,"ct":"HEARTBEAT"}"#, link: link)
    }
    run.line(change(5), link: link)
    #expect(MachineRun.sent(run.advance(by: .milliseconds(100))).count == 1)
    // If the connection is lost before the request, the next one begins with an image.
    run.line(change(6), link: link)
    let next = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: link)))
    #expect(next.count == 1 && run.machine.deadline! > run.uptime)
    #expect(MachineRun.sent(run.open(next[0], from: 7)).allSatisfy { !$0.contains("clk") })
  }

  @Test("requests conflated updates with the configured interval")
  mutating func conflation() {
    run = MachineRun(conflateMs: 2500)
    #expect(
      MachineRun.sent(run.open(startConnecting(), markets: []))[1].contains(#""heartbeatMs":5000,"conflateMs":2500,"#))
  }

  /// Begins a session with a topic. Returns the link that is being opened.
  mutating func startConnecting() -> Int {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    return MachineRun.links(run.logIn())[0]
  }

  @Test("replaces a stable connection at once, and a short-lived one after a growing delay")
  mutating func loss() {
    let link = startLive()
    // The connection has lasted long enough to be stable.
    run.advance(by: .seconds(3))
    let next = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: link)))
    #expect(next.count == 1)
    let failed = run.apply(.stream(.closed(MachineRun.lost), link: next[0]))
    guard case .waiting(let retry) = run.machine.state else { return #expect(Bool(false), "\(failed)") }
    #expect(retry.attempt == 2)
    #expect(
      MachineRun.links(run.advance(by: .milliseconds(99))) == []
        && MachineRun.links(run.advance(by: .milliseconds(1))).count == 1)
  }

  @Test("counts the attempts again after a stable connection that the provider ends")
  mutating func timeout() {
    var link = startConnecting()
    for _ in 0..<3 {
      run.apply(.stream(.closed(MachineRun.lost), link: link))
      link = reopened()
    }
    run.open(link)
    run.advance(by: .seconds(3))
    run.line(#"{"op":"status","statusCode":"FAILURE","errorCode":"TIMEOUT"}"#, link: link)
    guard case .waiting(let retry) = run.machine.state else { return #expect(Bool(false), "\(run.machine.state)") }
    #expect(retry.attempt == 2)
  }

  /// Advances the clock to the next attempt. Returns its link.
  private mutating func reopened() -> Int {
    while true {
      if let link = MachineRun.links(run.advance(by: .milliseconds(100))).first { return link }
    }
  }

  @Test("accepts any number of available connections, also the largest")
  mutating func availableConnections() {
    for count in [Int64.min, -1, 0, .max] {
      run = MachineRun()
      let link = startConnecting()
      run.apply(.stream(.opened, link: link))
      run.line(#"{"op":"connection"}"#, link: link)
      for id in 1...2 {
        run.line(#"{"op":"status","id":\#(id),"statusCode":"SUCCESS","connectionsAvailable":\#(count)}"#, link: link)
      }
      #expect(run.machine.state == .live)
      run.apply(.stream(.closed(MachineRun.lost), link: link))
      guard case .waiting(let retry) = run.machine.state else { return #expect(Bool(false), "\(count)") }
      #expect(retry.attempt == 2)
    }
  }

  @Test(
    "connects with no available connection only if a topic needs none any more, at the user's request, or after 30 s",
    arguments: 0..<6)
  mutating func noAvailableConnection(end: Int) throws {
    let link = startConnecting()
    run.open(link, available: 0)
    let waits = MachineRun.topicStates(run.apply(.subscribe(MachineRun.event)), of: MachineRun.event)
    guard case .retrying(FeedError.tooManyConnections, _)? = waits.last else { return #expect(Bool(false), "\(waits)") }
    // A topic without a connection makes no room.
    let other = Subscription(topic: Topic(path: "/event/30"), generation: 3)
    for event in [BetfairMachine.Event.subscribe(other), .unsubscribe(other)] { run.apply(event) }
    for _ in 0..<6 { #expect(advance(by: .seconds(5), heartbeat: link) == []) }
    switch end {
    case 0:
      #expect(MachineRun.links(run.apply(.unsubscribe(MachineRun.football)) + run.advance(by: .seconds(1))).count == 1)
    case 1: #expect(MachineRun.links(run.apply(.reconnect)).count == 1)
    case 2:
      let refusal = #"{"op":"status","id":2,"statusCode":"FAILURE","errorCode":"INVALID_INPUT"}"#
      #expect(MachineRun.links(run.line(refusal, link: link) + run.advance(by: .seconds(1))).count == 1)
    case 3:
      let refusal = #"{"op":"status","id":2,"statusCode":"FAILURE","errorCode":"SUBSCRIPTION_LIMIT_EXCEEDED"}"#
      let limited = run.line(refusal, link: link) + run.advance(by: .zero)
      let request = try #require(MachineRun.requests(limited).first).number
      let list = Catalogue(markets: [], result: Array("[]".utf8))
      let emptied = run.apply(.catalogue(request: request, .success(list)))
      #expect(emptied.contains(.close(link: link)))
      #expect(MachineRun.links(emptied + run.advance(by: .seconds(1))).count == 1)
    case 4:
      // The topic's connection is lost, and is being replaced when the topic is closed.
      #expect(MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: link))).count == 1)
      #expect(MachineRun.links(run.apply(.unsubscribe(MachineRun.football)) + run.advance(by: .seconds(1))).count == 1)
    default: #expect(advance(by: .seconds(4), heartbeat: link).count == 1)
    }
  }

  @Test("lets no more of the waiting topics connect than the account has connections, in the order of the topics")
  mutating func waitingTopics() throws {
    run.open(startConnecting(), available: 0)
    let waiting = ["/event/30", "/event/31", "/event/32"].map { Subscription(topic: Topic(path: $0), generation: 3) }
    for subscription in waiting { #expect(MachineRun.links(run.apply(.subscribe(subscription))) == []) }
    let freed = run.apply(.unsubscribe(MachineRun.football)) + run.advance(by: .seconds(1))
    #expect(MachineRun.links(freed).count == 1 && freed.contains(.topic(waiting[0], .requested)))
    // The connection that is being opened takes the place of the closed one.
    #expect(MachineRun.links(run.apply(.unsubscribe(waiting[2])) + run.advance(by: .seconds(1))) == [])
    run.open(try #require(MachineRun.links(freed).first), available: 0)
    #expect(MachineRun.links(run.apply(.unsubscribe(waiting[0])) + run.advance(by: .seconds(1))).count == 1)
  }

  @Test("opens no connection while another topic has the last one, subscribed or not")
  mutating func unansweredConnection() {
    let link = startConnecting()
    run.apply(.stream(.opened, link: link))
    run.line(#"{"op":"connection"}"#, link: link)
    run.line(#"{"op":"status","id":1,"statusCode":"SUCCESS","connectionsAvailable":0}"#, link: link)
    let waits = run.apply(.subscribe(MachineRun.event))
    #expect(MachineRun.links(waits) == [])
    let state = MachineRun.topicStates(waits, of: MachineRun.event).last
    guard case .retrying(FeedError.tooManyConnections, _)? = state else { return #expect(Bool(false), "\(waits)") }
    #expect(MachineRun.links(run.apply(.unsubscribe(MachineRun.football)) + run.advance(by: .seconds(1))).count == 1)
  }

  @Test("connects at once after the end of a connection whose subscription was refused, or was not answered")
  mutating func refusedConnection() {
    let late = Subscription(topic: Topic(path: "/event/30"), generation: 3)
    for isRefused in [true, false] {
      run = MachineRun()
      run.open(startConnecting(), available: 1)
      let other = MachineRun.links(run.apply(.subscribe(MachineRun.event)))[0]
      run.apply(.stream(.opened, link: other))
      run.line(#"{"op":"connection"}"#, link: other)
      run.line(#"{"op":"status","id":1,"statusCode":"SUCCESS","connectionsAvailable":0}"#, link: other)
      if isRefused {
        run.line(#"{"op":"status","id":2,"statusCode":"FAILURE","errorCode":"INVALID_INPUT"}"#, link: other)
      } else {
        run.apply(.unsubscribe(MachineRun.event))
      }
      #expect(MachineRun.links(run.apply(.subscribe(late))).count == 1, "\(isRefused)")
    }
  }

  /// Advances the clock, then receives a heartbeat. Returns the links that are being opened.
  private mutating func advance(by time: Duration, heartbeat link: Int) -> [Int] {
    let links = MachineRun.links(run.advance(by: time))
    run.line(#"{"op":"mcm","id":2,"ct":"HEARTBEAT"}"#, link: link)
    return links
  }

  @Test("closes a connection after two silent heartbeat intervals, and after 12 s without a greeting")
  mutating func silence() throws {
    _ = startLive()
    #expect(MachineRun.links(run.advance(by: .milliseconds(9999))) == [])
    let links = MachineRun.links(run.advance(by: .milliseconds(1)))
    #expect(links.count == 1)
    let link = try #require(links.first)
    let early = run.advance(by: .milliseconds(11_999))
    #expect(!early.contains(.close(link: link)))
    let late = run.advance(by: .milliseconds(1))
    #expect(late.contains(.close(link: link)))
  }

  @Test("replaces a connection that takes longer than 30 s for one line")
  mutating func slowLine() {
    let link = startLive()
    var actions: [BetfairMachine.Action] = []
    for second in 0..<41 {
      actions += run.advance(by: .seconds(1))
      #expect(second > 35 || !actions.contains(.close(link: link)))
      run.apply(.stream(.progress, link: link))
    }
    #expect(actions.contains(.close(link: link)) && MachineRun.links(actions).count == 1)
  }

  @Test("requests an image for a market that starts without one, with growing delays if that repeats")
  mutating func incomplete() {
    let link = startLive()
    var times: [Duration] = []
    for number in 1...4 {
      run.line(#"{"op":"mcm","id":\#(number + 1),"mc":[{"id":"1.9","rc":[{"id":1,"ltp":2}]}]}"#, link: link)
      let start = run.uptime
      var sent: [String] = []
      while sent.isEmpty, run.uptime - start < .seconds(10) {
        sent = MachineRun.sent(run.advance(by: .milliseconds(50)))
      }
      times.append(run.uptime - start)
      #expect(sent.count == 1 && sent[0].contains(#""op":"marketSubscription""#) && !sent[0].contains("clk"))
      run.line(#"{"op":"status","id":\#(number + 2),"statusCode":"SUCCESS"}"#, link: link)
      run.line(MachineRun.image([], id: number + 2), link: link)
    }
    #expect(times == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
  }

  @Test("logs in again at once when the token is refused, and after a delay if the new one is refused too")
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
    #expect(MachineRun.logins(run.advance(by: .seconds(1))) == 1)
  }

  @Test("closes a connection that opens while the login is renewed, and opens another with the new login")
  mutating func openedDuringLogin() {
    run.apply(.start)
    for subscription in [MachineRun.football, MachineRun.event] { run.apply(.subscribe(subscription)) }
    let links = MachineRun.links(run.logIn("1"))
    run.apply(.stream(.opened, link: links[0]))
    let refusal = #"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_SESSION_INFORMATION"}"#
    #expect(MachineRun.logins(run.line(refusal, link: links[0])) == 1)
    #expect(run.apply(.stream(.opened, link: links[1])) == [.close(link: links[1])])
    run.advance(by: .seconds(1))
    let next = MachineRun.links(run.logIn("2"))
    #expect(next.count == 2 && Set(next).isDisjoint(with: links))
    for link in next { #expect(MachineRun.sent(run.open(link)).first?.contains(#""session":"2""#) == true) }
    #expect(run.machine.state == .live)
  }

  @Test("does not retry a login with a wrong password, not even at the user's request")
  mutating func password() {
    run.apply(.start)
    run.failLogin(LoginError(code: "INVALID_USERNAME_OR_PASSWORD"))
    #expect(MachineRun.logins(run.advance(by: .seconds(3600)) + run.apply(.reconnect)) == 0)
    guard case .failed(let error) = run.machine.state else { return #expect(Bool(false)) }
    #expect(error.code == "betfairWrongPassword")
  }

  @Test("reacts to each code of the login service as Login.md says")
  func loginCodes() {
    let kinds: [(LoginError.Kind, [String])] = [
      (.credentials, ["INVALID_USERNAME_OR_PASSWORD", "INPUT_VALIDATION_ERROR", "CERT_AUTH_REQUIRED"]),
      (.credentials, ["AUTHORIZED_ONLY_FOR_DOMAIN_RO"]), (.banned, ["TEMPORARY_BAN_TOO_MANY_REQUESTS"]),
      (.expired, ["NO_SESSION", "INVALID_SESSION_INFORMATION"]), (.temporary, ["INTERNAL_ERROR", "LOGIN_RESTRICTED"]),
      (.refused, ["ACCOUNT_LOCKED", "INVALID_APP_KEY", ""]),
    ]
    for (kind, codes) in kinds { for code in codes { #expect(LoginError(code: code).kind == kind, "\(code)") } }
  }

  @Test("reports a failed login for each topic that waits for it while another connection is open")
  mutating func failedLoginOfTopic() {
    func reported(_ actions: [BetfairMachine.Action]) -> [TopicState] {
      MachineRun.topicStates(actions, of: MachineRun.event)
    }
    _ = startLive()
    let open = MachineRun.links(run.apply(.subscribe(MachineRun.event)))[0]
    run.open(open)
    run.advance(by: .seconds(3))
    let next = MachineRun.links(run.apply(.stream(.closed(MachineRun.lost), link: open)))[0]
    run.apply(.stream(.opened, link: next))
    let refusal = #"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_SESSION_INFORMATION"}"#
    #expect(MachineRun.logins(run.line(refusal, link: next)) == 1)
    let locked = LoginError(code: "ACCOUNT_LOCKED")
    #expect(reported(run.failLogin(locked)) == [.refused(locked.problem)] && run.machine.state == .recovering)
    // The user's attempt fails in another way.
    let attempt = run.apply(.reconnect)
    #expect(MachineRun.logins(attempt) == 1 && reported(attempt) == [.requested])
    let banned = LoginError(code: "TEMPORARY_BAN_TOO_MANY_REQUESTS")
    guard case .retrying(banned.problem, _)? = reported(run.failLogin(banned)).last else {
      return #expect(Bool(false))
    }
    // So does a topic that is opened now.
    let late = Subscription(topic: Topic(path: "/event/30"), generation: 3)
    guard case .retrying(banned.problem, _)? = MachineRun.topicStates(run.apply(.subscribe(late)), of: late).last else {
      return #expect(Bool(false))
    }
    #expect(reported(run.apply(.reconnect)) == [.requested])
    let links = MachineRun.links(run.logIn("NEW"))
    #expect(links.count == 2)
    run.open(links[1])
    #expect(reported(run.open(links[0], from: 3)) == [.live] && run.machine.state == .live)
  }

  @Test("waits 20 minutes after too many logins")
  mutating func tooManyLogins() {
    run.apply(.start)
    run.failLogin(LoginError(code: "TEMPORARY_BAN_TOO_MANY_REQUESTS"))
    #expect(
      MachineRun.logins(run.advance(by: .seconds(1199))) == 0 && MachineRun.logins(run.advance(by: .seconds(1))) == 1)
  }

  @Test("extends the login session every 15 minutes, and logs in again if it has ended")
  mutating func keepAlive() {
    run.apply(.start)
    run.logIn()
    let actions = run.advance(by: BetfairTiming.keepAlive)
    let requests = actions.compactMap { if case .keepAlive(_, let request) = $0 { request } else { nil } }
    #expect(requests.count == 1)
    #expect(MachineRun.logins(run.apply(.login(request: requests[0], .failure(LoginError(code: "NO_SESSION"))))) == 1)
  }

  @Test("reports the state of each topic separately")
  mutating func topics() {
    let link = startLive()
    let other = MachineRun.links(run.apply(.subscribe(MachineRun.event)))[0]
    #expect(run.machine.state == .recovering)
    run.open(other)
    #expect(run.machine.state == .live)
    run.advance(by: .seconds(3))
    let actions = run.apply(.stream(.closed(MachineRun.lost), link: link))
    #expect(actions.contains(.topic(MachineRun.football, .requested)) && run.machine.state == .recovering)
    #expect(run.apply(.unsubscribe(MachineRun.event)).contains(.close(link: other)))
  }

  @Test("rejects an unknown topic, and is live with a topic without markets")
  mutating func noTopic() {
    run.apply(.start)
    run.logIn()
    let unknown = Subscription(topic: Topic(path: "/live/50"), generation: 3)
    guard case .topic(unknown, .refused(let error))? = run.apply(.subscribe(unknown)).first else {
      return #expect(Bool(false))
    }
    #expect(error.message.contains("/live/50"))
    let none = Subscription(topic: Topic(path: "/none"), generation: 4)
    #expect(run.apply(.subscribe(none)).contains(.topic(none, .live)) && run.machine.state == .live)
    #expect(run.advance(by: .seconds(5)).contains(.alive))
  }

  @Test("names a topic whose criteria are refused, with the provider's text")
  mutating func refusedTopic() {
    run.open(startConnecting())
    let other = MachineRun.links(run.apply(.subscribe(MachineRun.event)))[0]
    run.apply(.stream(.opened, link: other))
    let text = #""errorMessage":"no\tsuch event\u001b""#
    let refusal = #"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_INPUT",\#(text)}"#
    let reports = MachineRun.topicStates(run.line(refusal, link: other), of: MachineRun.event)
    guard case .refused(let error)? = reports.last else { return #expect(Bool(false), "\(reports)") }
    #expect(error.message == "Betfair refuses the subscription to '/event/29' (INVALID_INPUT): 'no such event'")
    #expect(error.code == "betfairRequestRefused" && run.machine.state == .live)
  }

  @Test("stops connecting after a wrong application key until the user requests a reconnect")
  mutating func key() {
    run.apply(.start)
    run.apply(.subscribe(MachineRun.football))
    let link = MachineRun.links(run.logIn())[0]
    run.apply(.stream(.opened, link: link))
    run.line(#"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_APP_KEY"}"#, link: link)
    guard case .failed(let error) = run.machine.state else { return #expect(Bool(false)) }
    #expect(error.code == "betfairKeyRefused" && MachineRun.links(run.advance(by: .seconds(60))).isEmpty)
    #expect(MachineRun.links(run.apply(.reconnect)).count == 1)
  }
}
