/// The status fields of a match record.
struct MatchStatusFields: Sendable {
  enum Status: Sendable {
    case pending, inProgress, ended

    var id: StaticString {
      switch self {
      case .pending: "1"
      case .inProgress: "2"
      case .ended: "3"
      }
    }

    var name: StaticString {
      switch self {
      case .pending: "Pending"
      case .inProgress: "In Progress"
      case .ended: "Ended"
      }
    }
  }

  let status: Status
  /// The name of the current part; nil before and after the match.
  let partName: String?
}
