/// An event of a player's account streams.
package struct AccountEvent: Hashable, Sendable {
  /// The id, greater than those of all earlier events.
  package let id: UInt64
  /// The session whose streams get the event; nil for all streams of the player.
  package let session: String?
  /// The event's JSON, without line breaks.
  package let data: [UInt8]
  /// True if the session's streams end with this event.
  package var isLast: Bool { session != nil }

  package init(id: UInt64, session: String?, data: [UInt8]) {
    self.id = id
    self.session = session
    self.data = data
  }

  /// Returns the newest of some events whose texts have at most `bytes` bytes, without a gap.
  package static func newest(_ events: [AccountEvent], bytes: Int) -> [AccountEvent] {
    var room = bytes
    let fitting = events.reversed().prefix { event in
      room -= event.text.count
      return room >= 0
    }
    return fitting.reversed()
  }

  /// The event in the format of Server-Sent Events. Every second event names its type, which is optional there.
  package var text: [UInt8] {
    Array("id: \(id)\n\(id.isMultiple(of: 2) ? "event: message\n" : "")data: ".utf8) + data + [0x0A, 0x0A]
  }
}

/// The latest events of a player, from which a stream gets those it has missed.
package struct AccountEventLog: Sendable {
  /// The number of latest events that are always kept. The log holds up to twice as many.
  static let bound = 256

  private var kept: [AccountEvent] = []
  /// The id of the last event.
  package private(set) var lastID: UInt64

  /// Creates a log whose first event has the id after `id`.
  package init(after id: UInt64) { lastID = id }

  /// The events that are kept.
  package var events: [AccountEvent] { kept }

  /// Appends an event for the streams of a session, or of all sessions if `session` is nil, and returns it.
  mutating func append(_ data: [UInt8], to session: String? = nil) -> AccountEvent {
    let event = AccountEvent(id: lastID + 1, session: session, data: data)
    append(event)
    return event
  }

  /// Appends the event that follows the last one.
  package mutating func append(_ event: AccountEvent) {
    precondition(event.id == lastID + 1, "the event does not follow the last one")
    lastID = event.id
    // NB: Drops half of the log at a time, because `removeFirst` moves all remaining events.
    if kept.count == 2 * Self.bound { kept.removeFirst(Self.bound) }
    kept.append(event)
  }

  /// Returns the events of a session's streams after event `id`, or none if not all of them are kept.
  package func events(after id: UInt64, of session: String) -> [AccountEvent] {
    guard id < lastID, let first = kept.first, id + 1 >= first.id else { return [] }
    return kept[Int(id + 1 - first.id)...].filter { $0.session == nil || $0.session == session }
  }
}
