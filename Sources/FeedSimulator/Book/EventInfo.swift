/// One fact about a match in play, such as its score.
struct EventInfo: Sendable {
  enum Kind: Sendable {
    case score, server, status, minute

    /// The type of the record on the wire.
    var type: (id: StaticString, name: StaticString) {
      switch self {
      case .score: ("1", "Score")
      case .server: ("37", "Serve")
      case .status: ("92", "Event Status")
      case .minute: ("95", "Match Time")
      }
    }
  }

  let id: Int64
  let kind: Kind
  /// The home side's score, the id of the serving participant, the part counted from 1, or the minute.
  let first: Int64
  /// The away side's score; 0 for other kinds.
  var second: Int64 = 0
}
