import Localization
import OddsModel

/// A sport that the board names itself, with its folded names in all languages: a filter and a rule have the same
/// meaning whatever language the screen has.
struct NamedSport: Sendable {
  static let football = NamedSport(1, .channelFootball)
  static let all = [football, NamedSport(3, .channelTennis), NamedSport(8, .channelBasketball)]

  let id: SportID
  let names: [[UInt16]]

  private init(_ id: SportID, _ name: MessageKey) {
    self.id = id
    names = Language.allCases.map(Catalog.init).map { FoldedText($0(name)).letters }
  }

  /// Returns true if the match has the sport's id or its name. Not all feeds have the same ids.
  func isSport(of match: Match) -> Bool {
    match.sportID == id || names.contains(FoldedText(match.labels.sport).letters)
  }
}
