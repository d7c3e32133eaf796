import Platform
import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

@Suite(.timeLimit(.minutes(45)))
struct FeedSessionTests {
  let peer = ScriptedPeer()
  let clock = ManualClock(chance: 1)
  let session: FeedSession
  let subscription = Subscription(topic: Topic(path: "/a"), generation: 1)

  init() {
    session = FeedSession(connector: peer, realm: "realm", clock: clock.clientClock)
  }

  /// Reads events until the connection has the state. Returns false if the events end first.
  func next(
    _ state: ConnectionState, _ events: inout AsyncStream<TransportEvent>.Iterator
  ) async -> Bool {
    while let event = await events.next() { if case .state(state) = event { return true } }
    return false
  }

  func nextFrame(_ events: inout AsyncStream<TransportEvent>.Iterator) async -> TransportFrame? {
    while let event = await events.next() { if case .frame(let frame) = event { return frame } }
    return nil
  }

  /// Returns a live connection with `/a` live, and the session's events.
  func live() async -> (PeerConnection, AsyncStream<TransportEvent>.Iterator) {
    await session.subscribe(subscription)
    var events = await session.connect().makeAsyncIterator()
    let connection = await peer.nextAttempt().accept()
    await connection.acceptHello()
    await connection.acceptRegistration(FeedText.dump())
    _ = await nextFrame(&events)
    return (connection, events)
  }

  func end() async {
    await session.disconnect()
    #expect(peer.openCount == 0)
    #expect(clock.sleepers == 0)
  }

  @Test("A session connects, subscribes, delivers the dump and an update byte for byte, and closes")
  func plain() async {
    await session.subscribe(subscription)
    var events = await session.connect().makeAsyncIterator()
    let connection = await peer.nextAttempt().accept()
    #expect(await next(.handshaking, &events))
    #expect(await connection.next() == .hello(realm: "realm"))
    connection.sendMessages(.welcome(session: 1))
    #expect(await next(.live, &events))
    await connection.acceptRegistration(FeedText.dump(), registration: 7)
    let dump = await nextFrame(&events)
    #expect(dump?.subscription == subscription)
    #expect(dump?.withMessages { String(decoding: $0, as: UTF8.self) } == FeedText.dump())
    #expect(dump?.isAnswer == true)
    connection.sendMessages(texts: [PeerConnection.invocation(#"{"a":1}"#, request: 33, registration: 7)])
    #expect(await connection.next() == .yield(request: 33))
    let update = await nextFrame(&events)
    #expect(update?.withMessages { String(decoding: $0, as: UTF8.self) } == #"{"a":1}"#)
    #expect(update?.isAnswer == false)
    await end()
    #expect(connection.closeCode == 1000)
    #expect(await connection.next() == .goodbye(reason: WAMPMessage.URI.closeRealm))
    while await events.next() != nil {}
  }

  @Test("Messages received in one batch or in many lead to the same frames")
  func batches() async {
    let updates = (1...5).map { PeerConnection.invocation(#"{"n":\#($0)}"#, request: UInt64($0)) }
    for split in [1, 2, 5] {
      let test = FeedSessionTests()
      var (connection, events) = await test.live()
      for start in stride(from: 0, to: 5, by: split) {
        connection.sendMessages(texts: Array(updates[start..<min(start + split, 5)]))
      }
      for number in 1...5 {
        #expect(await connection.next() == .yield(request: UInt64(number)))
        let frame = await test.nextFrame(&events)
        #expect(frame?.withMessages { String(decoding: $0, as: UTF8.self) } == #"{"n":\#(number)}"#)
      }
      await test.end()
    }
  }

  @Test("Refused connections are retried after the back-off delay")
  func refused() async {
    var events = await session.connect().makeAsyncIterator()
    var deadlines = clock.deadlines.makeAsyncIterator()
    for (attempt, delay) in zip(2..., [200, 400, 800, 1600]) {
      await peer.nextAttempt().refuse()
      let retry = Retry(
        attempt: attempt, time: clock.clientClock.wall() + Int64(delay),
        reason: FeedError("nobody there", remedy: "wait"))
      #expect(await next(.waiting(retry), &events))
      let due = clock.clientClock.uptime() + .milliseconds(delay)
      while let deadline = await deadlines.next(), deadline != due {}
      clock.advance(by: .milliseconds(delay))
      #expect(await next(.connecting(attempt: attempt), &events))
    }
    await peer.nextAttempt().refuse(.unauthorized)
    #expect(await next(.failed(FeedError("nobody there", remedy: "wait")), &events))
    await session.reconnect()
    #expect(await next(.connecting(attempt: 1), &events))
    await end()
  }

  @Test("After a reset, the session reconnects at once, restores its topics, and never has two connections")
  func reset() async {
    var (connection, events) = await live()
    clock.advance(by: .seconds(3))
    connection.reset()
    let second = await peer.nextAttempt().accept()
    await second.acceptHello()
    #expect(await next(.recovering, &events))
    await second.acceptRegistration(FeedText.dump())
    #expect(await nextFrame(&events) != nil)
    #expect(await next(.live, &events))
    #expect(peer.maxOpenCount == 1)
    await end()
  }

  @Test("A half-open connection is closed after two unanswered pings, and the session reconnects at once")
  func halfOpen() async {
    var (connection, events) = await live()
    var deadlines = clock.deadlines.makeAsyncIterator()
    for turn in 1...3 {
      while let deadline = await deadlines.next(), deadline != .seconds(5 * turn) {}
      clock.advance(by: .seconds(5))
      if turn < 3 { await connection.waitForPing() }
    }
    #expect(await next(.connecting(attempt: 1), &events))
    #expect(connection.closeCode == 1000)
    _ = await peer.nextAttempt()
    await end()
  }

  @Test("Several pongs are reported as one sign of life while it is unread")
  func pongs() async {
    var (connection, events) = await live()
    var deadlines = clock.deadlines.makeAsyncIterator()
    for turn in 1...3 {
      while let deadline = await deadlines.next(), deadline != .seconds(5 * turn) {}
      clock.advance(by: .seconds(5))
      await connection.waitForPing()
      if turn == 1 { _ = session.drainBufferedEvents() }
      connection.pong()
    }
    connection.sendMessages(texts: [PeerConnection.invocation(#"{"n":1}"#)])
    #expect(await connection.next() == .yield(request: 1))
    var signs = 0
    for event in [await events.next()] + session.drainBufferedEvents() { if case .alive? = event { signs += 1 } }
    #expect(signs == 1)
    await end()
  }

  /// Advances the clock by the 5 s after which the session sends a ping, and waits for the ping.
  private func advance(toPingOf connection: PeerConnection) async {
    var deadlines = clock.deadlines.makeAsyncIterator()
    while let deadline = await deadlines.next(), deadline != .seconds(5) {}
    clock.advance(by: .seconds(5))
    await connection.waitForPing()
  }

  @Test("Frames and answers to pings have the uptime of their receipt, however long they wait for the reader")
  func receipt() async {
    let (connection, _) = await live()
    await advance(toPingOf: connection)
    _ = session.drainBufferedEvents()
    connection.pong()
    while !Task.isCancelled, session.backlog < 1 { await Task.yield() }
    clock.advance(by: .seconds(1))
    connection.sendMessages(texts: [PeerConnection.invocation("{}", request: 1)])
    while !Task.isCancelled, session.backlog < 2 { await Task.yield() }
    clock.advance(by: .seconds(2))
    let times = session.drainBufferedEvents().map { event -> Duration? in
      switch event {
      case .alive(let time, _): time
      case .frame(let frame): frame.receivedAt
      case .state, .records, .topic, .api, .apiLost: nil
      }
    }
    #expect(times == [.seconds(5), .seconds(6)] as [Duration?])
    await end()
  }

  @Test("A frame has the delay of the unanswered ping, and no delay after the answer")
  func delay() async {
    var (connection, events) = await live()
    await advance(toPingOf: connection)
    clock.advance(by: .seconds(2))
    connection.sendMessages(texts: [PeerConnection.invocation(#"{"n":1}"#, request: 1)])
    #expect(await nextFrame(&events)?.delay == .seconds(2))
    connection.pong()
    clock.advance(by: .seconds(1))
    connection.sendMessages(texts: [PeerConnection.invocation(#"{"n":2}"#, request: 2)])
    #expect(await nextFrame(&events)?.delay == .seconds(0))
    await end()
  }

  @Test("Frames and answers to pings have the uptime of the last answered ping, before it that of the connection")
  func completeUntil() async {
    let (connection, _) = await live()
    await advance(toPingOf: connection)
    _ = session.drainBufferedEvents()
    clock.advance(by: .seconds(2))
    connection.sendMessages(texts: [PeerConnection.invocation("{}", request: 1)])
    while !Task.isCancelled, session.backlog < 1 { await Task.yield() }
    connection.pong()
    while !Task.isCancelled, session.backlog < 2 { await Task.yield() }
    clock.advance(by: .seconds(1))
    connection.sendMessages(texts: [PeerConnection.invocation("{}", request: 2)])
    while !Task.isCancelled, session.backlog < 3 { await Task.yield() }
    let times = session.drainBufferedEvents().map { event -> Duration? in
      switch event {
      case .alive(_, let time): time
      case .frame(let frame): frame.completeUntil
      case .state, .records, .topic, .api, .apiLost: nil
      }
    }
    #expect(times == [.zero, .seconds(5), .seconds(5)] as [Duration?])
    await end()
  }

  @Test("An attempt to connect that hangs is cancelled after 10 s")
  func hanging() async {
    var events = await session.connect().makeAsyncIterator()
    var deadlines = clock.deadlines.makeAsyncIterator()
    let attempt = await peer.nextAttempt()
    while let deadline = await deadlines.next(), deadline != .seconds(10) {}
    clock.advance(by: .seconds(10))
    #expect(
      await next(.waiting(Retry(attempt: 2, time: clock.clientClock.wall() + 200, reason: .noHandshake)), &events))
    while !Task.isCancelled, !attempt.isAnswered { await Task.yield() }
    await end()
  }
}
