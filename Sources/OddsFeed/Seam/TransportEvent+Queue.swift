import OddsModel
package import Platform

// For the queues of transports that read a network.
extension TransportEvent {
  /// The limits of a queue of events; the cost is in bytes.
  package static let queueLimits = MailboxLimits(count: 256, cost: 8 << 20)

  /// The size of a frame in bytes; 0 for other events.
  package var byteCount: Int { if case .frame(let frame) = self { frame.bytes.count } else { 0 } }

  /// Removes the queued events that this one makes obsolete. Returns false if they make this one superfluous.
  package func coalesce(with queued: inout MailboxContent<TransportEvent>) -> Bool {
    switch (self, queued.last) {
    // A queued frame or `.alive` already is a sign of life.
    case (.alive, .frame), (.alive, .alive): return false
    // NB: The loss of a connection is added without waiting for room. The queued events are obsolete then, because the
    // next session begins with new dumps.
    case (.state(let line), _) where !line.isUp && queued.isFull: queued.removeAll()
    default: break
    }
    return true
  }
}
