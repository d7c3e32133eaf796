import OddsFeed

extension Match {
  /// The match as `toteboard list --format json` documents it.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("name", name)
      writer.field("home", labels.home)
      writer.field("away", labels.away)
      writer.field("sportId", optional: sportID?.description)
      writer.field("startTime", optional: startTime.map(ISOTime.text))
      writer.field("status", status.word)
      writer.array("markets") { writer in
        for market in markets { market.write(to: &writer) }
      }
    }
  }
}

extension Market {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("name", name)
      writer.field("available", isAvailable)
      writer.field("closed", isClosed)
      writer.field("main", isMain)
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
      writer.field("key", key)
      writer.field("offerId", optional: offer?.id.description)
      writer.field("odds", offer?.odds)
      writer.field("status", optional: offer?.status.word)
      writer.field("bettable", isBettable)
    }
  }
}
