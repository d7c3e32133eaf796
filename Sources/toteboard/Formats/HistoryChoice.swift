import Dashboard
import Localization
import OddsHistory
import OddsModel
import Platform
import TerminalCore

/// The choice of a match, a market and outcomes of the history by their names or ids.
struct HistoryChoice {
  /// The number of names that an error lists.
  private static let maxListed = 8

  private let reader: HistoryReader

  init(_ reader: HistoryReader) { self.reader = reader }

  /// Returns the match with an id, or the only one that a filter finds. Of several feeds, the one that carried the
  /// match last.
  func match(_ text: String) throws -> RecordedMatch {
    let query: MatchQuery
    do { query = try MatchQuery(text, CLILanguage.words, wall: ClientClock.wallTime()) } catch {
      throw CommandError(.historyNoFilter, text.cleaned, error.sentence)
    }
    let all = try reader.matches(since: 0)
    let named = all.filter { $0.match.id.description == text }
    let found = named.isEmpty ? all.filter { query.matches($0.match) } : named
    guard let last = found.max(by: { $0.lastSeen < $1.lastSeen }) else {
      throw CommandError(.historyNoMatch, text.cleaned)
    }
    let others = found.filter { $0.match.id != last.match.id }
    if others.isEmpty { return last }
    let names = ([last] + others).map { "\($0.match.id) \($0.match.name.cleaned)" }
    throw CommandError(.historyManyMatches, text.cleaned, Self.list(names))
  }

  /// Returns the market with a name or an id; without one, the main market.
  func market(_ text: String?, of match: RecordedMatch) throws -> (Market, RecordedMarket) {
    let markets = match.match.markets
    guard let text else {
      if let main = match.match.mainMarket, let index = markets.firstIndex(where: { $0.id == main.id }) {
        return (main, match.markets[index])
      }
      throw CommandError(.historyNoMatch, match.match.name.cleaned)
    }
    guard let index = Self.index(of: text, in: markets.map { ("\($0.id)", $0.name) }) else {
      throw CommandError(.historyNoMarket, text.cleaned, Self.list(markets.map { $0.name.cleaned }))
    }
    return (markets[index], match.markets[index])
  }

  /// Returns the indices of the outcomes with a name, a key or an id; without any, all.
  func outcomes(_ texts: [String], of market: Market, _ row: RecordedMarket) throws -> [Int] {
    if texts.isEmpty { return Array(market.outcomes.indices) }
    return try texts.map { text in
      let names = market.outcomes.map { ("\($0.id)", $0.name) }
      let key = market.outcomes.firstIndex { $0.key.lowercased() == text.lowercased() }
      guard let index = Self.index(of: text, in: names) ?? key else {
        throw CommandError(.historyNoOutcome, text.cleaned, Self.list(names.map(\.1.cleaned)))
      }
      return index
    }
  }

  /// Returns the first name that is the text, then the first that contains it.
  private static func index(of text: String, in names: [(id: String, name: String)]) -> Int? {
    let wanted = text.lowercased()
    return names.firstIndex { $0.id == text || $0.name.lowercased() == wanted }
      ?? names.firstIndex { $0.name.lowercased().contains(wanted) }
  }

  private static func list(_ names: [String]) -> LocalizedMessage {
    LocalizedMessage.list(Array(names.prefix(maxListed)) + (names.count > maxListed ? ["…"] : []))
  }
}
