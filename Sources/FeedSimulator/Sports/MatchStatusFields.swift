/// The fields of a MATCH record that change in the course of a match.
struct MatchStatusFields: Sendable {
  enum Status: Sendable {
    case pending, inProgress, ended

    /// The id and the name of the status on the wire.
    var wire: (id: StaticString, name: StaticString) {
      switch self {
      case .pending: ("1", "Pending")
      case .inProgress: ("2", "In Progress")
      case .ended: ("3", "Ended")
      }
    }
  }

  let status: Status
  /// The name of the current part; nil before and after the match.
  let partName: String?
}
