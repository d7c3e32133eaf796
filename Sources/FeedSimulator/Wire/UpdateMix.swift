/// The mix of offer updates, kept as in the real feed: 71 % odds, 25 % status only, 4 % all fields.
///
/// Updates from suspensions count, so that the book adds only the missing ones.
struct UpdateMix: Sendable {
  /// The lower bound of the owed updates: a surplus beyond it is not balanced.
  private static let maxAhead = -200.0

  private var statusOwed = 0.0
  private var allOwed = 0.0

  /// The number of status updates due.
  var statusDue: Int { max(0, Int(statusOwed)) }
  var isAllDue: Bool { allOwed >= 1 }

  mutating func count(_ form: OfferChange.Form) {
    switch form {
    case .price, .all:
      statusOwed += 25.0 / 75
      allOwed = max(Self.maxAhead, allOwed + 4.0 / 75 - (form == .all ? 1 : 0))
    case .status, .live: statusOwed = max(Self.maxAhead, statusOwed - 1)
    }
  }
}
