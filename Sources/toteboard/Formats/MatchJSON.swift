import JSONText
import OddsModel

extension Match {
  /// Writes the match in the JSON format of `toteboard list`.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("name", name)
      writeHead(to: &writer)
      writer.array("markets") { writer in
        for market in markets { market.write(to: &writer, in: self) }
      }
    }
  }

  /// Writes the properties of the match, without its markets.
  func writeHead(to writer: inout JSONWriter) {
    writer.field("home", labels.home)
    writer.field("away", labels.away)
    writer.field("sportId", optional: sportID?.description)
    writer.field("startTime", optional: startTime.map(ISOTime.text))
    writer.field("status", status.word)
    writer.field("score", optional: score?.text)
    if let minute { writer.field("minute", Int64(minute)) } else { writer.null("minute") }
    writer.field("serving", optional: serving?.word)
    writer.field("tournament", labels.tournament)
    writer.field("country", labels.category)
    writer.field("part", labels.part)
    writer.field("sport", labels.sport)
  }
}

extension Market {
  /// Writes the properties of the market, without its outcomes.
  func writeState(to writer: inout JSONWriter, in match: Match) {
    writer.field("available", isAvailable)
    writer.field("closed", isClosed)
    writer.field("main", isMain)
    writer.field("head", isHead(of: match))
  }

  fileprivate func write(to writer: inout JSONWriter, in match: Match) {
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("name", name)
      writeState(to: &writer, in: match)
      exchange?.write(to: &writer)
      writer.array("outcomes") { writer in
        for outcome in outcomes { outcome.write(to: &writer) }
      }
    }
  }
}

extension Outcome {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("name", name)
      writePrice(to: &writer)
      exchange?.write(to: &writer)
    }
  }

  /// Writes the outcome's offer. With `previous`, also writes the odds before the change.
  func writePrice(to writer: inout JSONWriter, previous: DecimalOdds?? = nil) {
    writer.field("key", key)
    writer.field("offerId", optional: offer?.id.description)
    writer.field("odds", number: offer?.odds?.description)
    if let previous { writer.field("previousOdds", number: previous?.description) }
    writer.field("status", optional: offer?.status.word)
    writer.field("bettable", isBettable)
  }
}
