import OddsFeed
import TerminalCore

/// One thing that became different, as `toteboard changes` prints it.
struct MatchChange {
  enum Kind: String {
    case matchAdded, matchRemoved, matchChanged, price, status
  }

  let kind: Kind
  let match: Match
  var market: Market?
  var outcome: Outcome?
  var previousOdds: DecimalOdds?

  /// What differs between two states of a match, either of which may be missing.
  static func between(_ old: Match?, _ new: Match?) -> [MatchChange] {
    guard let new else { return old.map { [MatchChange(kind: .matchRemoved, match: $0)] } ?? [] }
    guard let old else { return [MatchChange(kind: .matchAdded, match: new)] + prices(from: [:], in: new) }
    var before: [OutcomeID: Outcome] = [:]
    for market in old.markets { for outcome in market.outcomes { before[outcome.id] = outcome } }
    return (old.isSameBesidesMarkets(new) ? [] : [MatchChange(kind: .matchChanged, match: new)])
      + prices(from: before, in: new)
  }

  private static func prices(from before: [OutcomeID: Outcome], in match: Match) -> [MatchChange] {
    var changes: [MatchChange] = []
    for market in match.markets {
      for outcome in market.outcomes {
        let old = before[outcome.id]
        if outcome.offer?.odds != old?.offer?.odds {
          changes.append(
            MatchChange(
              kind: .price, match: match, market: market, outcome: outcome, previousOdds: old?.offer?.odds))
        } else if outcome.offer?.status != old?.offer?.status || outcome.isBettable != old?.isBettable {
          changes.append(MatchChange(kind: .status, match: match, market: market, outcome: outcome))
        }
      }
    }
    return changes
  }

  static let csvHeader = CSV.line([
    "change", "matchId", "match", "matchStatus", "score", "marketId", "market", "outcomeId", "outcome", "odds",
    "previousOdds", "bettable",
  ])

  func append(to lines: inout [UInt8], _ format: Changes.Format) {
    switch format {
    case .json:
      var writer = JSONWriter()
      write(to: &writer)
      writer.newline()
      lines += writer.bytes
    case .csv: lines += CSV.line(fields).utf8
    case .text: lines += "\(sentence)\n".utf8
    }
  }

  private var score: String? { match.score.map { "\($0.home)-\($0.away)" } }

  private var fields: [String] {
    [
      kind.rawValue, "\(match.id)", match.name, match.status.word, score ?? "", market.map { "\($0.id)" } ?? "",
      market?.name ?? "", outcome.map { "\($0.id)" } ?? "", outcome?.name ?? "",
      outcome?.offer?.odds?.description ?? "", previousOdds?.description ?? "",
      outcome.map { "\($0.isBettable)" } ?? "",
    ]
  }

  private var sentence: String {
    let name = match.name.cleaned
    switch kind {
    case .matchAdded: return "\(name): new, \(match.status.word)"
    case .matchRemoved: return "\(name): gone"
    case .matchChanged: return "\(name): \(match.status.word)\(score.map { ", \($0)" } ?? "")"
    case .price, .status:
      let place = "\(name), \((market?.name ?? "").cleaned), \((outcome?.name ?? "").cleaned)"
      let odds = outcome?.offer?.odds?.description ?? "no price"
      let change = kind == .price && previousOdds != nil ? "\(previousOdds!) -> \(odds)" : odds
      return "\(place): \(change)\(outcome?.isBettable == true ? "" : " (not bettable)")"
    }
  }

  private func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("change", kind.rawValue)
      writer.field("matchId", match.id.description)
      writer.field("match", match.name)
      if let market, let outcome {
        writer.field("marketId", market.id.description)
        writer.field("market", market.name)
        writer.field("outcomeId", outcome.id.description)
        writer.field("outcome", outcome.name)
        writer.field("odds", outcome.offer?.odds)
        writer.field("previousOdds", previousOdds)
        writer.field("status", optional: outcome.offer?.status.word)
        writer.field("bettable", outcome.isBettable)
      } else {
        writer.field("status", match.status.word)
        writer.field("score", optional: score)
      }
    }
  }
}
