import Dispatch
import EveryMatrix
import Localization
package import OddsFeed
package import OddsModel
import Platform

/// A feed without a network: WAMP sessions over a simulated book, whose prices are updated while a topic is open.
///
/// Sends the same messages as the real feed. Ticks are postponed while a reader is behind. Afterwards the book's time
/// catches up; the odds updates of more than about 0.25 seconds are skipped, and a stall of more than ten minutes is
/// skipped with new matches and a new dump.
package final class SimulatedConnector: FrameConnector {
  private struct State {
    var feed: BookFeed
    var sessions: [UInt64: Session] = [:]
    var lastSession: UInt64 = 0
    /// Active while a topic is open.
    var timer: RepeatingTimer?
  }

  private struct Session {
    var conversation: WAMPConversation
    /// The registrations, with canonical topics, in the order in which they were made, which is the order of frames.
    var registrations: [(topic: Topic, id: UInt64)] = []
    let queue: Mailbox<FrameEvent, Never>
  }

  /// The number of unread events from which a reader counts as behind.
  static let unreadLimit = 256

  private let state: Locked<State>
  private let ticks = DispatchQueue(label: "toteboard.simulator")

  package init(options: SimulatorOptions) {
    state = Locked(State(feed: BookFeed(options: options, uptime: DispatchTime.now().uptimeNanoseconds)))
  }

  deinit {
    state.withLock { state in
      state.timer = nil
      for session in state.sessions.values { session.queue.finish(with: [.closed(Self.gone)]) }
    }
  }

  package var rate: Double { state.withLock { $0.feed.rate } }

  /// Sets the number of odds updates per second, clamped to `SimulatorOptions.rateRange`.
  package func setRate(_ updatesPerSecond: Double) {
    state.withLock { state in
      state.feed.setRate(updatesPerSecond)
      state.timer?.setInterval(.nanoseconds(Int64(state.feed.interval)))
    }
  }

  package func connect() async throws(ConnectionError) -> any FrameConnection {
    let queue = Mailbox<FrameEvent, Never>(limits: MailboxLimits(count: Self.unreadLimit))
    let id = state.withLock { state in
      state.lastSession += 1
      let id = state.lastSession
      state.sessions[id] = Session(conversation: WAMPConversation(session: id), queue: queue)
      return id
    }
    return SimulatedConnection(server: self, id: id, queue: queue)
  }

  /// Advances the feed to an uptime in nanoseconds and sends the messages, unless a reader is behind.
  package func tick(uptime: UInt64) {
    state.withLock { state in
      if state.sessions.values.contains(where: \.queue.isFull) { return }
      for news in state.feed.advance(to: uptime) {
        for id in state.sessions.keys {
          for (topic, registration) in state.sessions[id]!.registrations where topic == news.topic {
            for message in news.messages {
              let head = state.sessions[id]!.conversation.nextInvocation(of: registration)
              state.sessions[id]!.queue.send(.text(head + message + [UInt8(ascii: "]")]))
            }
          }
        }
      }
    }
  }

  fileprivate func receive(_ text: [UInt8], from id: UInt64) {
    state.withLock { state in
      guard let outputs = state.sessions[id]?.conversation.receive(text) else { return }
      for output in outputs { perform(output, of: id, &state) }
    }
  }

  fileprivate func end(_ id: UInt64) {
    state.withLock { state in
      guard let session = state.sessions.removeValue(forKey: id) else { return }
      for (topic, _) in session.registrations { leave(topic, &state) }
      session.queue.finish(with: [.closed(ConnectionError(.closed(code: CloseCode.normal), Self.gone.problem))])
    }
  }

  private func perform(_ output: WAMPConversation.Output, of id: UInt64, _ state: inout State) {
    guard let session = state.sessions[id] else { return }
    switch output {
    case .send(let text): session.queue.send(.text(text))
    case .join(let requested, let request):
      guard let topic = join(requested, &state) else {
        session.queue.send(
          .text(session.conversation.refuseJoin(request, WAMPMessage.URI.invalidArgument, requested.unknownText)))
        return
      }
      let (registration, answer) = state.sessions[id]!.conversation.joined(requested, request: request)
      state.sessions[id]!.registrations.append((topic, registration))
      session.queue.send(.text(answer))
    case .leave(_, let registration):
      guard let place = session.registrations.firstIndex(where: { $0.id == registration }) else { return }
      leave(state.sessions[id]!.registrations.remove(at: place).topic, &state)
    case .dump(let topic, let request):
      guard let dump = state.feed.canonical(topic).flatMap({ state.feed.dump(of: $0) }) else {
        session.queue.send(
          .text(session.conversation.refuseDump(request, WAMPMessage.URI.invalidArgument, topic.unknownText)))
        return
      }
      session.queue.send(.text(session.conversation.answer(request, with: dump())))
    case .close(let code):
      state.sessions[id] = nil
      session.queue.finish(with: [.closed(ConnectionError(.closed(code: code), Self.gone.problem))])
    }
  }

  /// Opens a topic. Returns its canonical form, or nil if it does not exist.
  private func join(_ topic: Topic, _ state: inout State) -> Topic? {
    // Advance over the time in which no topic was open.
    if state.timer == nil { _ = state.feed.advance(to: DispatchTime.now().uptimeNanoseconds) }
    guard let topic = state.feed.canonical(topic), state.feed.open(topic) else { return nil }
    if state.timer == nil {
      state.timer = RepeatingTimer(every: .nanoseconds(Int64(state.feed.interval)), on: ticks) { [weak self] in
        self?.tick(uptime: DispatchTime.now().uptimeNanoseconds)
      }
    }
    return topic
  }

  /// Closes a topic without registrations, and stops the timer if no topic is left.
  private func leave(_ topic: Topic, _ state: inout State) {
    let open = state.sessions.values.flatMap(\.registrations)
    if !open.contains(where: { $0.topic == topic }) { state.feed.close(topic) }
    if open.isEmpty { state.timer = nil }
  }

  fileprivate static let gone = ConnectionError(.lost, FeedError(.simulatorGone, remedy: .remedyStartAgain))
}

/// A connection to the simulated server. It holds the server strongly; the server does not hold it.
private final class SimulatedConnection: FrameConnection {
  private let server: SimulatedConnector
  private let id: UInt64
  private let queue: Mailbox<FrameEvent, Never>

  init(server: SimulatedConnector, id: UInt64, queue: Mailbox<FrameEvent, Never>) {
    self.server = server
    self.id = id
    self.queue = queue
  }

  deinit { server.end(id) }

  func read() async -> [FrameEvent] { await queue.nextBatch() }
  func send(_ text: [UInt8]) { server.receive(text, from: id) }
  func ping(_ number: UInt64) { queue.send(.pong(number)) }
  func close(code: UInt16) { server.end(id) }
}
