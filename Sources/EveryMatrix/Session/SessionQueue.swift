import DequeModule
import OddsFeed
import OddsModel
import Platform

/// The events of a session that its reader has not received. The producer awaits `room()` before it adds events, which
/// bounds the queue.
final class SessionQueue: Sendable {
  private struct State {
    var events = Deque<TransportEvent>()
    /// The total size of the queued frames, in bytes.
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

    /// Removes and returns the producer's continuation if there is room now or the queue is finished.
    mutating func takeFiller() -> CheckedContinuation<Void, Never>? { isFull && !isFinished ? nil : filler.take() }
  }

  static let mostEvents = 256
  static let mostBytes = 8 << 20

  private let state = Locked(State())

  /// The number of queued events.
  var count: Int { state.withLock { $0.events.count } }

  /// True while the producer waits for room.
  var isHeldUp: Bool { state.withLock { $0.filler != nil } }

  /// Appends events. Does nothing after `finish(with:)`.
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
      // A queued frame or `.alive` already is a sign of life.
      case .frame, .alive: return
      default: break
      }
    // NB: The loss of a connection is appended without waiting for room. The queued events are obsolete then, because
    // the next session begins with new dumps.
    case .state(let line) where !line.isUp && state.isFull:
      state.events.removeAll()
      state.bytes = 0
    default: break
    }
    state.events.append(event)
  }

  /// Waits for the next event. Returns nil after the last.
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

  /// Removes and returns all queued events without waiting.
  func takeAll() -> [TransportEvent] {
    let (events, filler) = state.withLock { state -> ([TransportEvent], CheckedContinuation<Void, Never>?) in
      // NB: Converting an empty deque writes to the shared empty array, which the thread sanitizer reports.
      let events = state.events.isEmpty ? [] : Array(state.events)
      state.events.removeAll(keepingCapacity: true)
      state.bytes = 0
      return (events, state.takeFiller())
    }
    filler?.resume()
    return events
  }

  /// Returns once there is room, the queue is finished or the task is cancelled. Only one task may wait at a time.
  func room() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (before, goesOn) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
          if !state.isFull || state.isFinished || Task.isCancelled { return (nil, true) }
          defer { state.filler = continuation }
          // An earlier continuation belongs to a cancelled task whose handler has not run yet.
          return (state.filler, false)
        }
        before?.resume()
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.filler.take() }?.resume()
    }
  }

  /// Ends the queue with a last event. Events that were not received are dropped.
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
