import OddsFeed
import OddsModel
import Testing

@testable import Betfair

// The number of connections that the account has.
extension MachineTests {
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
}
