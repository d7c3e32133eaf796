import Dashboard
import EveryMatrix
import Localization

extension BoardChannel {
  /// The standard channels of the EveryMatrix feed.
  static func standard(matches: Int, words: Catalog = .english) -> [BoardChannel] {
    standard(EveryMatrixCatalog(), matches: matches, words: words)
  }
}
