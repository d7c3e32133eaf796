import JSONText

/// The messages that the session adds to those of Polymarket, for decoders and recordings (SessionMessages.md).
enum SessionMessage {
  /// Returns the message with all events of a subscription. They replace the earlier ones. With `isStale`, Gamma has
  /// not answered for some time.
  static func events(_ events: [GammaEvent], isStale: Bool = false) -> [UInt8] {
    message("events") { json in
      if isStale { json.field("stale", true) }
      json.array("events") { json in for event in events { event.write(to: &json) } }
    }
  }

  /// Returns the message with events that are new or have changed, and the ids of those that are gone. With `isStale`,
  /// Gamma has not answered for some time.
  static func changed(_ events: [GammaEvent], removed: [UInt64], isStale: Bool = false) -> [UInt8] {
    message("events_changed") { json in
      if isStale { json.field("stale", true) }
      json.array("events") { json in for event in events { event.write(to: &json) } }
      json.array("removed") { json in for id in removed { json.element(String(id)) } }
    }
  }

  /// Returns the message that the prices of tokens are unknown until their next images. With `time`, in milliseconds
  /// since 1970, this holds for prices from before it, and images from before it are out of date.
  static func withdrawn(_ tokens: some Sequence<TokenID>, before time: Int64? = nil) -> [UInt8] {
    message("withdrawn") { json in
      json.array("assets_ids") { json in for token in tokens { json.element("\(token)") } }
      if let time { json.field("timestamp", "\(time)") }
    }
  }

  private static func message(_ kind: StaticString, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter(capacity: 256)
    json.object { json in
      json.field("event_type", kind)
      write(&json)
    }
    return json.bytes
  }
}
