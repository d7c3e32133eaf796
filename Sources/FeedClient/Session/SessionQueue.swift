import DequeModule
import OddsFeed
import Platform

/// What a session has heard and its reader has not pulled yet. Who fills it waits for room first: that bounds it.
final class SessionQueue: Sendable {
  private struct State {
    var events = Deque<TransportEvent>()
    /// Of the frames among them.
    var bytes = 0
    var reader: CheckedContinuation<TransportEvent?, Never>?
    var filler: CheckedContinuation<Void, Never>?
    var isFinished = false

    var isFull: Bool { events.count >= mostEvents || bytes >= mostBytes }

    mutating func pop() -> TransportEvent? {
      guard let event = events.popFirst() else { return nil }
      if case .frame(let frame) = event { bytes -= frame.bytes.count }
      return event
    }

    /// Who waits for room and has it now.
    mutating func takeFiller() -> CheckedContinuation<Void, Never>? { isFull && !isFinished ? nil : filler.take() }
  }

  static let mostEvents = 256
  static let mostBytes = 8 << 20

  private let state = Locked(State())

  /// How many events wait.
  var count: Int { state.withLock { $0.events.count } }

  /// True while somebody waits for room.
  var isHeldUp: Bool { state.withLock { $0.filler != nil } }

  /// Puts events behind those that wait; after `finish()`, nothing happens.
  func push(_ events: [TransportEvent]) {
    let waiting = state.withLock { state -> (CheckedContinuation<TransportEvent?, Never>, TransportEvent?)? in
      if state.isFinished { return nil }
      for event in events { Self.put(event, &state) }
      guard !state.events.isEmpty, let reader = state.reader.take() else { return nil }
      return (reader, state.pop())
    }
    if let (reader, event) = waiting { reader.resume(returning: event) }
  }

  private static func put(_ event: TransportEvent, _ state: inout State) {
    switch event {
    case .frame(let frame): state.bytes += frame.bytes.count
    case .alive:
      switch state.events.last {
      // They are signs of life themselves.
      case .frame, .alive: return
      default: break
      }
    // NB: losses come without waiting for room. What waits is out of date then: the next session begins with all of it.
    case .state(let line) where !line.isUp && state.isFull:
      state.events.removeAll()
      state.bytes = 0
    default: break
    }
    state.events.append(event)
  }

  /// The next event; waits where there is none. Nil after the last.
  func next() async -> TransportEvent? {
    await withCheckedContinuation { continuation in
      let (event, filler) = state.withLock { state -> (TransportEvent??, CheckedContinuation<Void, Never>?) in
        if let event = state.pop() { return (event, state.takeFiller()) }
        if state.isFinished { return (.some(nil), nil) }
        precondition(state.reader == nil, "the events of a transport have one reader")
        state.reader = continuation
        return (nil, nil)
      }
      filler?.resume()
      if let event { continuation.resume(returning: event) }
    }
  }

  /// What waits, without waiting.
  func takeAll() -> [TransportEvent] {
    let (events, filler) = state.withLock { state -> ([TransportEvent], CheckedContinuation<Void, Never>?) in
      // NB: the array of an empty deque writes to the one empty array that all share, which the thread sanitizer reports.
      let events = state.events.isEmpty ? [] : Array(state.events)
      state.events.removeAll(keepingCapacity: true)
      state.bytes = 0
      return (events, state.takeFiller())
    }
    filler?.resume()
    return events
  }

  /// Returns once there is room, the queue finished or the task cancelled. For one task at a time.
  func room() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (before, goesOn) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
          if !state.isFull || state.isFinished || Task.isCancelled { return (nil, true) }
          defer { state.filler = continuation }
          // Whoever waited was cancelled, and is about to hear of it.
          return (state.filler, false)
        }
        before?.resume()
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.filler.take() }?.resume()
    }
  }

  /// Ends the events with a last one; what nobody has pulled is gone.
  func finish(with last: TransportEvent?) {
    let (reader, filler) = state.withLock {
      state -> (CheckedContinuation<TransportEvent?, Never>?, CheckedContinuation<Void, Never>?) in
      if state.isFinished { return (nil, nil) }
      state.isFinished = true
      state.events.removeAll()
      state.bytes = 0
      guard let reader = state.reader.take() else {
        if let last { state.events.append(last) }
        return (nil, state.filler.take())
      }
      return (reader, state.filler.take())
    }
    reader?.resume(returning: last)
    filler?.resume()
  }
}
