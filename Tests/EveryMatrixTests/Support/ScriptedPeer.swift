import EveryMatrix
import OddsFeed
import OddsModel
import Platform

/// The in-memory peer of a session, controlled by a test, which answers each attempt to connect.
final class ScriptedPeer: FrameConnector {
  private let attempts = AsyncStream.makeStream(of: Attempt.self)
  private let state = Locked((attempts: 0, open: 0, maxOpen: 0))

  /// An attempt to connect, which waits for its answer.
  final class Attempt: Sendable {
    fileprivate typealias Answer = Result<PeerConnection, ConnectionError>
    private let phase = Locked<(waiting: CheckedContinuation<Answer, Never>?, answer: Answer?)>((nil, nil))
    fileprivate let peer: ScriptedPeer

    fileprivate init(_ peer: ScriptedPeer) { self.peer = peer }

    @discardableResult
    func accept(answersClose: Bool = true) -> PeerConnection {
      let connection = PeerConnection(peer, answersClose: answersClose)
      answer(.success(connection))
      return connection
    }

    func refuse(_ kind: ConnectionError.Kind = .unreachable) {
      answer(.failure(ConnectionError(kind, FeedError("nobody there", remedy: "wait"))))
    }

    /// True once the attempt is answered, or cancelled by the session.
    var isAnswered: Bool { phase.withLock { $0.answer != nil } }

    private func answer(_ answer: Answer) {
      phase.withLock { phase in
        if phase.answer == nil { phase.answer = answer }
        return phase.waiting.take()
      }?.resume(returning: answer)
    }

    fileprivate func wait() async throws(ConnectionError) -> PeerConnection {
      let answer = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let answer = phase.withLock { phase -> Answer? in
            if phase.answer == nil { phase.waiting = continuation }
            return phase.answer
          }
          if let answer { continuation.resume(returning: answer) }
        }
      } onCancel: {
        self.refuse()
      }
      return try answer.get()
    }
  }

  /// The number of attempts so far.
  var attemptCount: Int { state.withLock { $0.attempts } }
  /// The number of open connections.
  var openCount: Int { state.withLock { $0.open } }
  var maxOpenCount: Int { state.withLock { $0.maxOpen } }

  func connect() async throws(ConnectionError) -> any FrameConnection {
    let attempt = Attempt(self)
    state.withLock { $0.attempts += 1 }
    attempts.continuation.yield(attempt)
    return try await attempt.wait()
  }

  /// Returns the next attempt. If the test is cancelled, returns one that no session waits for.
  func nextAttempt() async -> Attempt {
    for await attempt in attempts.stream { return attempt }
    return Attempt(self)
  }

  fileprivate func opened() {
    state.withLock { state in
      state.open += 1
      state.maxOpen = max(state.maxOpen, state.open)
    }
  }

  fileprivate func closed() { state.withLock { $0.open -= 1 } }
}

/// The peer's end of a connection.
final class PeerConnection: FrameConnection {
  private struct State {
    var events: [FrameEvent] = []
    var reader: CheckedContinuation<[FrameEvent], Never>?
    var isClosed = false
    var code: UInt16?
    /// The number of the session's last ping; nil before the first.
    var lastPing: UInt64?
  }

  private let state = Locked(State())
  private let sent = AsyncStream.makeStream(of: WAMPMessage.self)
  private let pings = AsyncStream.makeStream(of: Void.self)
  private let peer: ScriptedPeer
  private let answersClose: Bool

  init(_ peer: ScriptedPeer, answersClose: Bool) {
    self.peer = peer
    self.answersClose = answersClose
    peer.opened()
  }

  // MARK: The session's side

  func read() async -> [FrameEvent] {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let events = state.withLock { state -> [FrameEvent]? in
          if !state.events.isEmpty || state.isClosed || Task.isCancelled {
            defer { state.events = [] }
            return state.events
          }
          state.reader = continuation
          return nil
        }
        if let events { continuation.resume(returning: events) }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume(returning: [])
    }
  }

  func send(_ text: [UInt8]) {
    guard let message = text.withUnsafeBufferPointer({ try? WAMPMessage.parse($0) }) else { return }
    sent.continuation.yield(message)
  }

  func ping(_ number: UInt64) {
    state.withLock { $0.lastPing = number }
    pings.continuation.yield()
  }

  func close(code: UInt16) {
    if answersClose { answerClose(code) }
  }

  // MARK: The test's side

  /// Returns the session's next message, or nil after the end.
  func next() async -> WAMPMessage? {
    for await message in sent.stream { return message }
    return nil
  }

  func waitForPing() async { for await _ in pings.stream { return } }

  /// The code with which the session closed the connection, if it did.
  var closeCode: UInt16? { state.withLock { $0.code } }

  /// The number of unread events.
  var unreadCount: Int { state.withLock { $0.events.count } }

  /// Sends messages in one batch.
  func sendMessages(_ messages: WAMPMessage...) { sendMessages(texts: messages.map(\.text)) }

  func sendMessages(texts: [[UInt8]]) { deliver(texts.map { .text($0) }) }

  /// Answers the session's last ping, and thereby all earlier ones.
  func pong() { deliver([.pong(state.withLock { $0.lastPing })]) }

  func reset(_ kind: ConnectionError.Kind = .lost) {
    end(.closed(ConnectionError(kind, FeedError("the line broke", remedy: "wait"))), nil)
  }

  /// Completes the close handshake with the session's code.
  func answerClose(_ code: UInt16) {
    end(.closed(ConnectionError(.closed(code: code), FeedError("closed", remedy: ""))), code)
  }

  private func end(_ event: FrameEvent, _ code: UInt16?) {
    let isFirst = state.withLock { state in
      if state.isClosed { return false }
      state.code = code
      return true
    }
    guard isFirst else { return }
    deliver([event])
    state.withLock { $0.isClosed = true }
    peer.closed()
    sent.continuation.finish()
    pings.continuation.finish()
  }

  private func deliver(_ events: [FrameEvent]) {
    let (reader, ready) = state.withLock { state -> (CheckedContinuation<[FrameEvent], Never>?, [FrameEvent]) in
      if state.isClosed { return (nil, []) }
      state.events += events
      guard let reader = state.reader.take() else { return (nil, []) }
      defer { state.events = [] }
      return (reader, state.events)
    }
    reader?.resume(returning: ready)
  }
}

extension PeerConnection {
  /// Reads the session's HELLO and sends WELCOME.
  func acceptHello() async {
    _ = await next()
    sendMessages(.welcome(session: 1))
  }

  /// Answers a REGISTER and the call for its dump.
  func acceptRegistration(_ dump: String, registration: UInt64 = 1) async {
    guard case .register(let request, _)? = await next() else { return }
    sendMessages(.registered(request: request, registration: registration))
    await answerCall(dump)
  }

  func answerCall(_ dump: String) async {
    guard case .call(let request, _, _)? = await next() else { return }
    sendMessages(texts: [WAMPMessage.result(request: request, payload: Array(dump.utf8))])
  }

  static func invocation(_ message: String, request: UInt64 = 1, registration: UInt64 = 1) -> [UInt8] {
    WAMPMessage.invocationHead(request: request, registration: registration) + Array(message.utf8) + Array("]".utf8)
  }
}
