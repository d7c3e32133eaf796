import EveryMatrix
import FeedNetwork
import OddsFeed
import Polymarket

/// The provider of a feed over a network.
enum FeedProvider {
  case everyMatrix
  case polymarket

  /// Creates the provider of a feed, by its address.
  init(of feed: String?) {
    self = feed.map(PolymarketAddress.isMeant) ?? false ? .polymarket : .everyMatrix
  }

  /// The topics of the provider, with its defaults.
  var catalog: any FeedCatalog {
    switch self {
    case .everyMatrix: EveryMatrixCatalog()
    case .polymarket: PolymarketCatalog()
    }
  }

  /// True if the provider has accounts.
  var hasAccounts: Bool { self == .everyMatrix }

  /// True if the provider's prices are probabilities, which is how they are shown unless the user chooses.
  var hasProbabilities: Bool { self == .polymarket }
}
