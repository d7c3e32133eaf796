import OddsModel
import Testing

@testable import Betfair
@testable import OddsFeed

/// The loss of a connection while the first image of its topic waits for names and another topic is live.
struct PendingImageTests {
  /// Applies the session's actions for the event topic to a store, as the provider does.
  private static func deliver(
    _ actions: [BetfairMachine.Action], to store: ChannelStore, _ decoder: inout BetfairDecoder
  ) async {
    for action in actions {
      switch action {
      case .message(MachineRun.event, let text):
        var batch = FeedBatch()
        text.withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
        await store.apply(batch, at: 1)
      case .topic(MachineRun.event, let state): await store.topicChanged(state, at: 1)
      default: break
      }
    }
  }

  @Test("A connection that is lost while its image waits for names leaves no live prices", arguments: [false, true])
  func loss(isLoginExpired: Bool) async {
    let store = ChannelStore(
      topic: MachineRun.event.topic, line: ConnectionUpdate(connection: .recovering, pulse: .sound))
    var decoder = BetfairDecoder()
    var run = MachineRun()
    run.apply(.start)
    for subscription in [MachineRun.football, MachineRun.event] { run.apply(.subscribe(subscription)) }
    let links = MachineRun.links(run.logIn())
    run.open(links[0])
    run.apply(.stream(.opened, link: links[1]))
    run.line(#"{"op":"connection"}"#, link: links[1])
    for id in 1...2 { run.line(#"{"op":"status","id":\#(id),"statusCode":"SUCCESS"}"#, link: links[1]) }
    run.advance(by: .milliseconds(500))
    let image = MachineRun.image(["1.5"], id: 2)
    await Self.deliver(run.line(image, link: links[1]), to: store, &decoder)
    await Self.deliver(run.advance(by: .milliseconds(1700)), to: store, &decoder)
    #expect(await store.status.isLoaded == false)
    if isLoginExpired {
      // No connection can be opened while the login is renewed.
      let expired = #"{"op":"status","statusCode":"FAILURE","errorCode":"INVALID_SESSION_INFORMATION"}"#
      let actions = run.line(expired, link: links[0])
      #expect(MachineRun.logins(actions) == 1)
    }
    let lost = run.apply(.stream(.closed(MachineRun.lost), link: links[1]))
    #expect(lost.contains(.message(MachineRun.event, Array(image.utf8))))
    #expect(MachineRun.topicStates(lost, of: MachineRun.event) == [.live, .requested])
    #expect(MachineRun.links(lost).isEmpty == isLoginExpired)
    await Self.deliver(lost, to: store, &decoder)
    #expect(await store.status.isLoaded)
    #expect(await store.freshness.grade == .locked)
  }
}
