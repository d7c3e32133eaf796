import OddsModel
import TestSupport

@testable import Betfair

extension MarketCache {
  /// The state as text, in the format of `ReferenceMarkets`.
  var text: String {
    func hundredths(_ units: Int64) -> String { "\(units / 100_000)" }
    var rows: [String] = []
    for book in books.sorted(by: { $0.key.text < $1.key.text }) {
      let status = book.definition.map { $0.status.word.uppercased() } ?? "-"
      rows.append(
        "\(book.key.text) \(status) inPlay=\(book.definition?.isInPlay ?? false)"
          + " version=\(book.definition?.version ?? 0) tv=\(hundredths(book.volume ?? 0))")
      for runner in book.runners.sorted(by: { ($0.key.id, $0.key.handicap) < ($1.key.id, $1.key.handicap) }) {
        let byLevel = [runner.displayBack, runner.displayLay, runner.bestBack, runner.bestLay].map { ladder in
          ladder.levels.enumerated().filter { $0.element.size > 0 }
            .map { "\($0.offset):\(hundredths($0.element.price)):\(hundredths($0.element.size))" }
        }
        let byPrice = [runner.allBack, runner.allLay, runner.traded].map { ladder in
          ladder.levels.map { "\(hundredths($0.price)):\(hundredths($0.size))" }
        }
        let ladders = zip(BetfairMessage.ladders, byLevel + byPrice).map { "\($0)=\($1.joined(separator: ","))" }
        rows.append(
          "  \(runner.key.id) \(hundredths(runner.key.handicap)) \(runner.status.text)"
            + " ltp=\(runner.lastTraded.map(hundredths) ?? "-") tv=\(hundredths(runner.volume ?? 0)) "
            + ladders.joined(separator: " "))
      }
    }
    return rows.joined(separator: "\n") + "\n"
  }
}

extension RunnerStatus {
  fileprivate var text: String {
    switch self {
    case .active: "ACTIVE"
    case .removed: "REMOVED"
    case .settled: "SETTLED"
    case .hidden: "HIDDEN"
    case .unknown: "-"
    }
  }
}
