import EveryMatrix
import Localization
import OddsModel

extension TopicSelection {
  /// The only operator of the book.
  private static let operatorID = "1"
  /// The maximum number of different offers of a topic, which is that of the board's watch list.
  static let maxOffers = 200

  /// Returns the form of a topic that all requests for the same data share; nil if a book never has the topic.
  ///
  /// The book has operator "1" only. It has the languages of the board, all with the same English texts. Counts are
  /// clamped to what the book can have, and ids are sorted. Checks the form only: a match may have left the book.
  ///
  /// - Parameter matches: The number of matches of the book.
  static func canonical(_ topic: Topic, matches: Int) -> Topic? {
    guard let (operatorID, language) = topic.operatorAndLanguage, operatorID == Self.operatorID,
      Language.allCases.contains(where: { $0.feedCode == language })
    else { return nil }
    let parts = topic.path.split(separator: "/", omittingEmptySubsequences: false)
    switch topic.content {
    case .aggregator(let kind, let sport, let most, let markets):
      guard parts[6] == "all-locations", parts[7] == "default-event-info",
        sport == Topic.allSports || SimulatedSport.allCases.contains(where: { $0.id.description == sport })
      else { return nil }
      return .aggregator(
        kind, sport: sport, matches: min(max(0, most), matches),
        markets: min(max(0, markets), MarketKind.allCases.count))
    case .match(let id): return number(id).map { .match(MatchID(raw: $0)) }
    case .offers(let ids):
      let numbers = ids.compactMap(number)
      let offers = Set(numbers).sorted()
      guard numbers.count == ids.count, (1...maxOffers).contains(offers.count) else { return nil }
      return .offers(offers.map { OfferID(raw: $0) })
    case .sports(let liveOnly): return parts[6] == "BOTH" ? .sports(liveOnly: liveOnly) : nil
    case nil: return nil
    }
  }

  /// Returns the number of an id; nil if it is not a positive number of 64 bits.
  private static func number(_ id: String) -> UInt64? { Int64(id).flatMap { $0 > 0 ? UInt64($0) : nil } }
}
