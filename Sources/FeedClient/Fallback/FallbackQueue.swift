import OddsFeed
import Platform

/// What one reader has not taken yet, of a line and of what stands in for it.
///
/// The line waits until what it had is taken, so that what is not read stays in it; what stands in for it does not wait,
/// and of one subscription only the newest of each kind is kept.
final class FallbackQueue: Sendable {
  private struct State {
    var line: ArraySlice<TransportEvent> = []
    var own: [TransportEvent] = []
    var reader: CheckedContinuation<Void, Never>?
    var writer: CheckedContinuation<Void, Never>?
    var isOver = false

    /// Who waits for all to be taken, where it is.
    mutating func takeWriter() -> CheckedContinuation<Void, Never>? { line.isEmpty ? writer.take() : nil }
  }

  private let state = Locked(State())

  /// Adds events of the line; returns when they are taken. One writer at a time.
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

  /// Adds an event that does not come from the line; it is taken before those that do.
  func put(own event: TransportEvent) {
    let reader = state.withLock { state in
      if state.isOver { return nil as CheckedContinuation<Void, Never>? }
      state.own.removeAll { event.replaces($0) }
      state.own.append(event)
      return state.reader.take()
    }
    reader?.resume()
  }

  /// Drops what was put in for a subscription.
  func forget(_ subscription: Subscription) {
    state.withLock { $0.own.removeAll { $0.subscription == subscription } }
  }

  /// Nothing more will come; what is there is still taken.
  func end() {
    let (reader, writer) = state.withLock { state in
      state.isOver = true
      return (state.reader.take(), state.writer.take())
    }
    reader?.resume()
    writer?.resume()
  }

  /// The next event; nil after the end. One reader at a time.
  func next() async -> TransportEvent? {
    while true {
      await something()
      let (event, writer, isOver) = state.withLock { state in
        let event = state.own.isEmpty ? state.line.popFirst() : state.own.removeFirst()
        return (event, state.takeWriter(), state.isOver)
      }
      writer?.resume()
      // NB: what the reader was woken for may have been forgotten since.
      if event != nil || isOver { return event }
    }
  }

  /// Returns once something is there, or the end.
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

  /// What is there, without waiting.
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
  /// The subscription of what stands in for the line.
  fileprivate var subscription: Subscription? {
    switch self {
    case .frame(let frame): frame.subscription
    case .topic(let subscription, _), .api(let subscription, _), .apiLost(let subscription): subscription
    case .state, .alive: nil
    }
  }

  /// True where whoever has not taken the other need not hear of it any more.
  fileprivate func replaces(_ other: TransportEvent) -> Bool {
    guard subscription == other.subscription else { return false }
    switch (self, other) {
    case (.frame, .frame), (.frame, .apiLost), (.api, .api): return true
    default: return false
    }
  }
}
