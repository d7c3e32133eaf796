/// Keeps the mix of offer updates as the real feed has it: 71 % odds, 25 % status only, 4 % all fields.
///
/// What suspensions send counts, so that the book adds only what is missing.
struct UpdateMix: Sendable {
  /// How far status updates may run ahead before what is ahead is forgiven.
  private static let mostAhead = -200.0

  private var statusOwed = 0.0
  private var allOwed = 0.0

  /// How many status updates are due.
  var statusDue: Int { max(0, Int(statusOwed)) }
  var isAllDue: Bool { allOwed >= 1 }

  mutating func count(_ form: OfferChange.Form) {
    switch form {
    case .price, .all:
      statusOwed += 25.0 / 75
      allOwed = max(Self.mostAhead, allOwed + 4.0 / 75 - (form == .all ? 1 : 0))
    case .status, .live:
      statusOwed = max(Self.mostAhead, statusOwed - 1)
    }
  }
}
