import Platform

/// The pending events of a transport and of its substitutes, for one reader.
///
/// The transport waits until its events are taken, so unread data stays in the transport. Substitute events do not
/// wait; for each subscription only the newest of each kind is kept.
final class FallbackQueue: Sendable {
  private struct State {
    var line: ArraySlice<TransportEvent> = []
    var own: [TransportEvent] = []
    var reader: CheckedContinuation<Void, Never>?
    var writer: CheckedContinuation<Void, Never>?
    var isOver = false

    /// Removes and returns the writer's continuation if all events of the transport were taken.
    mutating func takeWriter() -> CheckedContinuation<Void, Never>? { line.isEmpty ? writer.take() : nil }
  }

  private let state = Locked(State())

  /// Adds events of the transport. Returns when they are taken. Only one task may write at a time.
  func put(_ events: [TransportEvent]) async {
    await withCheckedContinuation { continuation in
      let (goesOn, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
        if state.isOver { return (true, nil) }
        state.line = events[...]
        state.writer = continuation
        return (false, state.reader.take())
      }
      reader?.resume()
      if goesOn { continuation.resume() }
    }
  }

  /// Adds a substitute event, which is taken before the events of the transport.
  func put(own event: TransportEvent) {
    let reader = state.withLock { state in
      if state.isOver { return nil as CheckedContinuation<Void, Never>? }
      state.own.removeAll { event.replaces($0) }
      state.own.append(event)
      return state.reader.take()
    }
    reader?.resume()
  }

  /// Removes the substitute events of a subscription.
  func forget(_ subscription: Subscription) {
    state.withLock { $0.own.removeAll { $0.subscription == subscription } }
  }

  /// Ends the queue. Events already in it can still be taken.
  func end() {
    let (reader, writer) = state.withLock { state in
      state.isOver = true
      return (state.reader.take(), state.writer.take())
    }
    reader?.resume()
    writer?.resume()
  }

  /// Waits for the next event. Returns nil after the end. Only one task may read at a time.
  func next() async -> TransportEvent? {
    while true {
      await something()
      let (event, writer, isOver) = state.withLock { state in
        let event = state.own.isEmpty ? state.line.popFirst() : state.own.removeFirst()
        return (event, state.takeWriter(), state.isOver)
      }
      writer?.resume()
      // NB: The event that woke the reader may have been removed by `forget(_:)` since.
      if event != nil || isOver { return event }
    }
  }

  /// Returns once an event is available or the queue has ended.
  private func something() async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if state.isOver || !state.own.isEmpty || !state.line.isEmpty { return true }
        state.reader = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  /// Removes and returns all events without waiting.
  func takeAll() -> [TransportEvent] {
    let (events, writer) = state.withLock { state -> ([TransportEvent], CheckedContinuation<Void, Never>?) in
      let events = state.own + state.line
      (state.own, state.line) = ([], [])
      return (events, state.takeWriter())
    }
    writer?.resume()
    return events
  }
}

extension TransportEvent {
  /// The subscription of the event; nil for events of the connection.
  fileprivate var subscription: Subscription? {
    switch self {
    case .frame(let frame): frame.subscription
    case .records(let subscription, _, _), .topic(let subscription, _), .api(let subscription, _),
      .apiLost(let subscription):
      subscription
    case .state, .alive: nil
    }
  }

  /// Returns true if the event makes `other` obsolete for a reader that has not taken it.
  fileprivate func replaces(_ other: TransportEvent) -> Bool {
    guard subscription == other.subscription else { return false }
    switch (self, other) {
    case (.records, .records), (.records, .apiLost), (.api, .api): return true
    default: return false
    }
  }
}
