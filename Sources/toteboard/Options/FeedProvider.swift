import Betfair
import Dashboard
import EveryMatrix
import FeedNetwork
import OddsFeed
import OddsModel
import Polymarket

/// The provider of a feed over a network.
enum FeedProvider {
  case everyMatrix
  case polymarket
  case betfair

  /// Creates the provider of a feed, by its address: EveryMatrix, unless it is that of another provider.
  init(of feed: String?) {
    if let feed, PolymarketAddress.isMeant(by: feed) {
      self = .polymarket
    } else if let feed, BetfairAddress.isMeant(by: feed) {
      self = .betfair
    } else {
      self = .everyMatrix
    }
  }

  /// The topics of the provider, with its defaults.
  var catalog: any FeedCatalog {
    switch self {
    case .everyMatrix: EveryMatrixCatalog()
    case .polymarket: PolymarketCatalog()
    case .betfair: BetfairCatalog()
    }
  }

  /// True if the provider has accounts.
  var hasAccounts: Bool { self == .everyMatrix }

  /// The format of prices unless the user sets one. Polymarket's prices are probabilities.
  var oddsFormat: OddsFormat { self == .polymarket ? .implied : BoardSettings().odds }
}
