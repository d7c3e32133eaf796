/// Something that a player's streams tell.
package struct AccountEvent: Hashable, Sendable {
  /// Above those of all events before it.
  package let id: UInt64
  /// The session whose streams tell it; nil is all of the player's.
  package let session: String?
  /// JSON in one line.
  package let data: [UInt8]
  /// True where the session's streams end with it.
  package var isLast: Bool { session != nil }

  /// The event as Server-Sent Events have it. Half of them name their type, as it is allowed.
  package var text: [UInt8] {
    Array("id: \(id)\n\(id.isMultiple(of: 2) ? "event: message\n" : "")data: ".utf8) + data + [0x0A, 0x0A]
  }
}

/// The last events of a player, for streams that have missed some.
struct AccountEventLog: Sendable {
  /// So many events are kept.
  static let bound = 256

  private var kept: [AccountEvent] = []
  private(set) var lastID: UInt64

  /// A log whose events are numbered from there on.
  init(after id: UInt64) { lastID = id }

  mutating func append(_ data: [UInt8], to session: String? = nil) -> AccountEvent {
    lastID += 1
    let event = AccountEvent(id: lastID, session: session, data: data)
    // NB: dropped by halves, so that not every event moves all others.
    if kept.count == 2 * Self.bound { kept.removeFirst(Self.bound) }
    kept.append(event)
    return event
  }

  /// The events of a session's streams since an event, without it; none where that is not known any more, or never was.
  func events(after id: UInt64, of session: String) -> [AccountEvent] {
    guard id < lastID, let first = kept.first, id + 1 >= first.id else { return [] }
    return kept[Int(id + 1 - first.id)...].filter { $0.session == nil || $0.session == session }
  }
}
