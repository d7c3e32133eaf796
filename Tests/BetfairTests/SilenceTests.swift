import OddsModel
import TestSupport
import Testing

@testable import Betfair
@testable import OddsFeed

@Suite("Two topics of Betfair, each with a connection of its own")
struct SilenceTests {
  private static let subscriptions = [MachineRun.football, MachineRun.event]
  private static let heartbeat = #"{"op":"mcm","id":2,"ct":"HEARTBEAT"}"#

  private var run = MachineRun()
  private let links: [Int]

  init() {
    run.apply(.start)
    for subscription in Self.subscriptions { run.apply(.subscribe(subscription)) }
    links = MachineRun.links(run.logIn())
    for link in links { run.open(link) }
  }

  @Test(
    "A topic is overdue from 6 s after the last line of its own connection to the next one", arguments: Laws.seeds(50))
  mutating func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var lastLines = [run.uptime, run.uptime]
    var states = [TopicState.live, .live]
    var overdueSteps = 0
    for _ in 0..<400 {
      var actions = run.advance(by: .milliseconds(250))
      for topic in 0...1 {
        // After 10 s of silence, the connection would be closed.
        let mustSend = run.uptime - lastLines[topic] >= .milliseconds(9500)
        switch Int.random(in: 0..<30, using: &random) {
        case _ where mustSend, 0:
          actions += run.line(Self.heartbeat, link: links[topic])
          lastLines[topic] = run.uptime
        // Neither parts of a line nor a pause of the reader make the prices newer.
        case 1: actions += run.apply(.stream(.progress, link: links[topic]))
        case 2: actions += run.apply(.unread(link: links[topic]))
        default: break
        }
      }
      for topic in 0...1 {
        states[topic] = MachineRun.topicStates(actions, of: Self.subscriptions[topic]).last ?? states[topic]
        let isOverdue = run.uptime - lastLines[topic] >= .seconds(6)
        if isOverdue { overdueSteps += 1 }
        let lastSign = run.wall - Int64((run.uptime - lastLines[topic]) / .milliseconds(1))
        #expect(states[topic] == (isOverdue ? .overdue(lastSign: lastSign) : .live), "seed \(seed)")
      }
    }
    #expect(overdueSteps > 0 && run.machine.state == .live, "seed \(seed)")
  }

  @Test("A topic is live again after the delivery of its next line, but not after a line that cannot be read")
  mutating func end() {
    let second = MachineRun.event
    for isReadable in [true, false] {
      run.advance(by: .seconds(5))
      run.line(Self.heartbeat, link: links[0])
      let actions = run.advance(by: .seconds(1))
      guard case .overdue? = MachineRun.topicStates(actions, of: second).last else {
        return #expect(Bool(false), "\(actions)")
      }
      let next = run.line(isReadable ? Self.heartbeat : "{", link: links[1])
      #expect(MachineRun.topicStates(next, of: second).contains(.live) == isReadable)
      if isReadable { #expect(next == [.deliver(second), .topic(second, .live)]) }
    }
  }

  @Test("An overdue topic whose connection has ended for good is live again at the image of the next one, not before")
  mutating func reopened() {
    let actions = run.advance(by: .seconds(6))
    #expect(Self.subscriptions.allSatisfy { MachineRun.topicStates(actions, of: $0).count == 1 })
    run.line(#"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_APP_KEY"}"#, link: links[0])
    let next = MachineRun.links(run.apply(.reconnect))
    guard next.count == 2 else { return #expect(Bool(false), "\(next)") }
    for (link, subscription) in zip(next, Self.subscriptions) {
      let early = run.apply(.stream(.opened, link: link)) + run.advance(by: .seconds(1))
      #expect(MachineRun.topicStates(early, of: subscription) == [])
      #expect(MachineRun.topicStates(run.open(link, from: 3), of: subscription) == [.live])
    }
  }

  @Test("The prices of an overdue topic are delayed, whatever the other connections do, until the topic is live again")
  func store() async {
    var line = ConnectionUpdate(number: 1, connection: .live, pulse: .sound, time: 1)
    let store = ChannelStore(topic: MachineRun.football.topic, line: line)
    var decoder = BetfairDecoder()
    var batch = FeedBatch()
    Array(MachineRun.image(["1.5"], id: 2).utf8).withUnsafeBufferPointer {
      decoder.decode($0, 0..<$0.count, into: &batch)
    }
    await store.topicChanged(.live, at: 2)
    await store.apply(batch, at: 2)
    #expect(await store.freshness == Freshness(.live, since: 2))
    await store.topicChanged(.overdue(lastSign: 2), at: 6002)
    #expect(await store.freshness == Freshness(.delayed, since: 6002))
    #expect(await store.status.lastSign == 2)
    line.number = 2
    line.connection = .recovering
    await store.lineChanged(line)
    #expect(await store.freshness == Freshness(.delayed, since: 6002))
    await store.topicChanged(.live, at: 7000)
    #expect(await store.freshness == Freshness(.live, since: 7000))
    await store.topicChanged(.overdue(lastSign: 7000), at: 13_000)
    await store.topicChanged(.requested, at: 17_000)
    #expect(await store.freshness == Freshness(.locked, since: 17_000))
  }
}
