/// One fact about a match in play, such as its score.
struct EventInfo: Sendable {
  enum Kind: Sendable {
    case score, server, status, minute

    var typeID: StaticString {
      switch self {
      case .score: "1"
      case .server: "37"
      case .status: "92"
      case .minute: "95"
      }
    }

    var name: StaticString {
      switch self {
      case .score: "Score"
      case .server: "Serve"
      case .status: "Event Status"
      case .minute: "Match Time"
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
