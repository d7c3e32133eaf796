import Betfair
import EveryMatrix
package import FeedRecording
import Polymarket

extension DetectedFormat {
  /// The format of a file or pipe of any provider.
  package static let ofAnyProvider = DetectedFormat([BetfairFormat(), PolymarketFormat(), EveryMatrixFormat()])
}
