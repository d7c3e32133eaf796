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
