import Dispatch
import Localization
package import OddsFeed
import Platform

/// A server without a network: sessions over a simulated book whose matches are played and priced while somebody listens.
///
/// What it sends are the frames of the real feed. While a reader is behind, ticks are put off; the book's time then
/// catches up, and odds updates of more than a quarter of a second are skipped.
package final class SimulatedConnector: FrameConnector {
  private struct State {
    var feed: BookFeed
    var sessions: [UInt64: Session] = [:]
    var lastSession: UInt64 = 0
    /// Runs while a topic is open.
    var timer: (any DispatchSourceTimer)?
  }

  private struct Session {
    var conversation: WAMPConversation
    /// In the order of registration, which is the order of frames.
    var registrations: [(topic: Topic, id: UInt64)] = []
    let queue: FrameQueue
  }

  private let state: Locked<State>
  private let ticks = DispatchQueue(label: "toteboard.simulator")

  /// A server that plays a new book.
  package init(options: SimulatorOptions) {
    state = Locked(State(feed: BookFeed(options: options, uptime: DispatchTime.now().uptimeNanoseconds)))
  }

  deinit {
    state.withLock { state in
      state.timer?.cancel()
      for session in state.sessions.values { session.queue.end(Self.gone) }
    }
  }

  /// Odds updates a second.
  package var rate: Double { state.withLock { $0.feed.rate } }

  /// Sets how many odds updates a second there are, from now on. What is outside
  /// `SimulatorOptions.rateRange` is brought into it.
  package func setRate(_ updatesPerSecond: Double) {
    state.withLock { state in
      state.feed.setRate(updatesPerSecond)
      state.timer?.start(every: state.feed.interval)
    }
  }

  package func connect() async throws(ConnectionError) -> any FrameConnection {
    let queue = FrameQueue()
    let id = state.withLock { state in
      state.lastSession += 1
      let id = state.lastSession
      state.sessions[id] = Session(conversation: WAMPConversation(session: id), queue: queue)
      return id
    }
    return SimulatedConnection(server: self, id: id, queue: queue)
  }

  /// Plays what is due at an uptime in nanoseconds; the timer calls it. Put off while a reader is behind.
  package func tick(uptime: UInt64) {
    state.withLock { state in
      if state.sessions.values.contains(where: \.queue.isFull) { return }
      for news in state.feed.advance(to: uptime) {
        for id in state.sessions.keys {
          for (topic, registration) in state.sessions[id]!.registrations where topic == news.topic {
            for message in news.messages {
              let head = state.sessions[id]!.conversation.nextInvocation(of: registration)
              state.sessions[id]!.queue.push(.text(head + message + [UInt8(ascii: "]")]))
            }
          }
        }
      }
    }
  }

  // MARK: One session

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
      session.queue.end(ConnectionError(.closed(code: CloseCode.normal), Self.gone.problem))
    }
  }

  private func perform(_ output: WAMPConversation.Output, of id: UInt64, _ state: inout State) {
    guard let session = state.sessions[id] else { return }
    switch output {
    case .send(let text): session.queue.push(.text(text))
    case .join(let topic, let registration):
      state.sessions[id]!.registrations.append((topic, registration))
      join(topic, &state)
    case .leave(let topic, let registration):
      state.sessions[id]!.registrations.removeAll { $0.id == registration }
      leave(topic, &state)
    case .dump(let topic, let request):
      let dump = state.feed.dump(of: topic)
      session.queue.push(.text(session.conversation.answer(request, with: dump, of: topic)))
    case .close(let code):
      state.sessions[id] = nil
      session.queue.end(ConnectionError(.closed(code: code), Self.gone.problem))
    }
  }

  private func join(_ topic: Topic, _ state: inout State) {
    if state.timer == nil {
      // What went by while nobody listened.
      _ = state.feed.advance(to: DispatchTime.now().uptimeNanoseconds)
      state.timer = ticks.timer(every: state.feed.interval) { [weak self] in
        self?.tick(uptime: DispatchTime.now().uptimeNanoseconds)
      }
    }
    _ = state.feed.open(topic)
  }

  /// The book rests while nobody listens.
  private func leave(_ topic: Topic, _ state: inout State) {
    let open = state.sessions.values.flatMap(\.registrations)
    if !open.contains(where: { $0.topic == topic }) { state.feed.close(topic) }
    if open.isEmpty { state.timer.take()?.cancel() }
  }

  fileprivate static let gone = ConnectionError(.lost, FeedError(.simulatorGone, remedy: .remedyStartAgain))
}

/// One connection to the simulated server. It keeps the server alive, and the server not it.
private final class SimulatedConnection: FrameConnection {
  private let server: SimulatedConnector
  private let id: UInt64
  private let queue: FrameQueue

  init(server: SimulatedConnector, id: UInt64, queue: FrameQueue) {
    self.server = server
    self.id = id
    self.queue = queue
  }

  deinit { server.end(id) }

  func read() async -> [FrameEvent] { await queue.read() }
  func send(_ text: [UInt8]) { server.receive(text, from: id) }
  func ping() { queue.push(.pong) }
  func close(code: UInt16) { server.end(id) }
}
