import Dashboard

@testable import toteboard

extension AlertLogEntry {
  /// An alert of the rule "rule 1", or of another one.
  static func sample(
    _ match: String = "Ajax - Porto", _ text: String = "1 2.10", rule: String = "rule 1", id: String = "100"
  ) -> AlertLogEntry {
    AlertLogEntry(
      AlertReport(time: 1_750_752_000_123, kind: .price, rule: rule, matchID: id, match: match, text: text),
      feed: "simulated")
  }
}
