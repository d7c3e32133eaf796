import OddsFeed

extension Match {
  /// The match as `toteboard list --format json` documents it.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("id")
      writer.string(id.description)
      writer.key("name")
      writer.string(name)
      writer.key("home")
      writer.string(home)
      writer.key("away")
      writer.string(away)
      writer.key("sportId")
      writer.string(sportID?.description)
      writer.key("startTime")
      writer.string(startTime.map(ISOTime.text))
      writer.key("status")
      writer.string(status.word)
      writer.key("markets")
      writer.array { writer in
        for market in markets { market.write(to: &writer) }
      }
    }
  }
}

extension Market {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("id")
      writer.string(id.description)
      writer.key("name")
      writer.string(name)
      writer.key("available")
      writer.bool(isAvailable)
      writer.key("closed")
      writer.bool(isClosed)
      writer.key("main")
      writer.bool(isMain)
      writer.key("outcomes")
      writer.array { writer in
        for outcome in outcomes { outcome.write(to: &writer) }
      }
    }
  }
}

extension Outcome {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("id")
      writer.string(id.description)
      writer.key("name")
      writer.string(name)
      writer.key("key")
      writer.string(key)
      writer.key("offerId")
      writer.string(offer?.id.description)
      writer.key("odds")
      writer.odds(offer?.odds)
      writer.key("status")
      writer.string(offer?.status.word)
      writer.key("bettable")
      writer.bool(isBettable)
    }
  }
}
