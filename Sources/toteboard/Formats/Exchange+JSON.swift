import JSONText
import OddsModel

extension ExchangeMarket {
  /// Writes the state of the market as the field `exchange`. Amounts are in the unit of `currency`.
  func write(to writer: inout JSONWriter) {
    writer.key("exchange")
    writer.openObject()
    writer.field("status", status.word)
    writer.field("inPlay", isInPlay)
    writer.field("betDelay", number: betDelay.map(String.init))
    writer.field("winners", number: winnerCount.map(String.init))
    writer.field("totalMatched", number: totalMatched?.number)
    writer.field("currency", optional: totalMatched?.currency?.description)
    writer.field("lines", hasLines)
    writer.field("awaitsImage", isAwaitingImage)
    writer.closeObject()
  }
}

extension ExchangePrices {
  /// Writes the prices as the fields `backs` and `lays`, each a list of prices with their sizes, the best first, and
  /// `lastTraded` and `matched`.
  func write(to writer: inout JSONWriter) {
    for (name, offers) in [("backs" as StaticString, backs), ("lays", lays)] {
      writer.array(name) { writer in
        for offer in offers {
          writer.object { writer in
            writer.field("odds", number: offer.odds?.description)
            writer.field("size", number: offer.size?.number)
          }
        }
      }
    }
    writer.field("lastTraded", number: lastTraded?.description)
    writer.field("matched", number: matched?.number)
  }
}

extension Amount {
  /// The amount as a decimal number with at least two decimals.
  fileprivate var number: String { DecimalOdds(units: units).description }
}
