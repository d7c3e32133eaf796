import OddsModel
package import Platform

extension Mailbox where Element == TransportEvent, Failure == Never {
  /// Returns the events of a transport for its one reader.
  ///
  /// - Parameter stop: Ends the transport. Called at the end of the queue, and if the reader's task is cancelled, then
  ///   also by a task of its own. Can be called several times.
  package func events(stop: @escaping @Sendable () -> Void) -> AsyncStream<TransportEvent> {
    AsyncStream {
      if let event = await self.next() { return event }
      // NB: A cancelled reader receives the last event too.
      stop()
      return self.drain().first
    } onCancel: {
      // NB: This runs with the lock of the reader's task held, which is also taken to resume the task. A transport
      // resumes it with its own lock held, so `stop`, which takes that lock, would deadlock here.
      Task.detached { stop() }
    }
  }
}

// For the queues of transports that read a network.
extension TransportEvent {
  /// The limits of a queue of events; the cost is in bytes.
  package static let queueLimits = MailboxLimits(count: 256, cost: 8 << 20)

  /// The size of a frame in bytes; 0 for other events.
  package var byteCount: Int { if case .frame(let frame) = self { frame.bytes.count } else { 0 } }

  /// Returns the event with the uptime of its receipt, and the time for which it may have waited on its way, if it is a
  /// sign of life.
  func received(at uptime: Duration, delay: Duration) -> TransportEvent {
    switch self {
    case .frame(var frame):
      frame.receivedAt = uptime
      frame.delay = delay
      return .frame(frame)
    case .alive: return .alive(receivedAt: uptime - delay)
    case .state, .records, .topic, .api, .apiLost: return self
    }
  }

  /// Removes the queued events that this one makes obsolete. Always returns true: no event is superfluous (`Mailbox`).
  package func coalesce(with queued: inout MailboxContent<TransportEvent>) -> Bool {
    switch (self, queued.last) {
    // The later sign of life replaces the earlier one.
    case (.alive, .alive?): queued.removeLast()
    // NB: The loss of a connection is added without waiting for room. The queued events are obsolete then, because the
    // next session begins with new dumps. Only the states of topics stay.
    case (.state(let line), _) where !line.isUp && queued.isFull: queued.replaceAll(Self.lastTopicStates)
    default: break
    }
    return true
  }

  /// Returns the last `.topic` of each subscription. A transport may report a state once, and not again after a loss.
  private static func lastTopicStates(_ events: [TransportEvent]) -> [TransportEvent] {
    var known: Set<Subscription> = []
    var states: [TransportEvent] = []
    for event in events.reversed() {
      if case .topic(let subscription, _) = event, known.insert(subscription).inserted { states.append(event) }
    }
    return states.reversed()
  }
}
