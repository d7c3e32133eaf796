import Platform
import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

// Queue limits, and the release of resources at the end.
extension FeedSessionTests {
  @Test("A slow reader causes back-pressure; the queue is bounded, and unread data does not count as silence")
  func backPressure() async {
    var (connection, events) = await live()
    var deadlines = clock.deadlines.makeAsyncIterator()
    while session.backlog > 0 { _ = session.drainBufferedEvents() }
    for number in 1...UInt64(FeedSession.backlogLimits.count) {
      connection.sendMessages(texts: [PeerConnection.invocation("{}", request: number)])
      #expect(await connection.next() == .yield(request: number))
    }
    // NB: answers are sent before events are queued for the reader.
    while !Task.isCancelled, session.backlog < FeedSession.backlogLimits.count { await Task.yield() }
    for number in 1...1000 as ClosedRange<UInt64> {
      connection.sendMessages(texts: [PeerConnection.invocation("{}", request: number)])
    }
    for turn in 1...10 {
      while let deadline = await deadlines.next(), deadline != .seconds(5 * turn) {}
      clock.advance(by: .seconds(5))
      await connection.waitForPing()
    }
    #expect(connection.unreadCount == 1000)
    #expect(session.backlog == FeedSession.backlogLimits.count)
    for _ in 0..<FeedSession.backlogLimits.count + 1000 { #expect(await nextFrame(&events) != nil) }
    #expect(peer.attemptCount == 1)
    await end()
  }

  @Test("While events are unread, connection losses do not grow the queue beyond its limit")
  func lossesUnread() async {
    let test = FeedSessionTests()
    _ = await test.session.connect()
    for _ in 0..<300 {
      await test.peer.nextAttempt().refuse()
      while !Task.isCancelled, !test.session.state.isWaiting { await Task.yield() }
      test.clock.advance(by: .seconds(30))
    }
    #expect(test.session.backlog <= FeedSession.backlogLimits.count)
    #expect(test.peer.maxOpenCount == 0)
    await test.end()
  }

  @Test("Disconnecting in each phase ends the events, the connection and the tasks")
  func disconnect() async {
    for phase in 0..<5 {
      let test = FeedSessionTests()
      await test.session.subscribe(subscription)
      if phase == 0 {
        await test.end()
        continue
      }
      var events = await test.session.connect().makeAsyncIterator()
      let attempt = await test.peer.nextAttempt()
      if phase == 2 {
        attempt.refuse()
        while let event = await events.next() { if case .state(.waiting) = event { break } }
      }
      if phase > 2 {
        let connection = attempt.accept()
        #expect(await test.next(.handshaking, &events))
        if phase == 4 {
          await connection.acceptHello()
          #expect(await test.next(.live, &events))
        }
      }
      await test.end()
      while await events.next() != nil {}
      await test.session.disconnect()
      await test.session.reconnect()
      #expect(test.peer.attemptCount == 1)
    }
  }

  @Test("Disconnecting waits until the peer answers the close or the timeout passes", arguments: [true, false])
  func closeTimeout(isAnswered: Bool) async throws {
    var events = await session.connect().makeAsyncIterator()
    let connection = await peer.nextAttempt().accept(answersClose: false)
    await connection.acceptHello()
    #expect(await next(.live, &events))
    let leaving = Task { await session.disconnect() }
    #expect(await connection.next() == .goodbye(reason: WAMPMessage.URI.closeRealm))
    while !Task.isCancelled, !clock.isSleeping(until: SessionTiming.closeTimeout) { await Task.yield() }
    if isAnswered { connection.answerClose(1000) } else { clock.advance(by: SessionTiming.closeTimeout) }
    try await leaving.cancellableValue
    #expect(clock.sleepers == 0)
  }

  @Test("A session without references is deallocated, with its connection and its timer")
  func memory() async {
    weak var gone: FeedSession?
    let peer = ScriptedPeer()
    do {
      let session = FeedSession(connector: peer, realm: "realm", clock: clock.clientClock)
      gone = session
      var events: AsyncStream<TransportEvent>.Iterator? = await session.connect().makeAsyncIterator()
      let connection = await peer.nextAttempt().accept()
      await connection.acceptHello()
      _ = await events?.next()
      events = nil
    }
    while !Task.isCancelled, gone != nil || peer.openCount > 0 || clock.sleepers > 0 { await Task.yield() }
  }
}

extension ConnectionState {
  fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}
