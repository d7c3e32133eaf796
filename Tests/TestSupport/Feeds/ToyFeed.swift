import FeedRecording
package import Localization
package import OddsFeed
package import OddsModel

/// A provider with its own text protocol, which is not JSON: `dump A-B:2.5 C-D:1.8` and `price 1 2.6`.
///
/// Matches, their markets, outcomes and offers have the numbers 1, 2, … in the order of the dump.
package struct ToyDecoder: FeedDecoder {
  package init() {}

  package mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into batch: inout FeedBatch) {
    let line = UnsafeBufferPointer(rebasing: bytes[range])
    let recorded = RecordingLine(line, ToyFormat())
    let words = String(decoding: recorded?.text(in: line) ?? Array(line), as: UTF8.self).split(separator: " ")
    switch words.first {
    case "dump": batch.appendMessage(.dump) { dump(words.dropFirst(), &$0) }
    case "price" where words.count == 3:
      batch.appendMessage(.update) { price(of: UInt64(words[1])!, words[2], .update, &$0) }
    default: return batch.unparsable += 1
    }
    if let time = recorded?.receivedAt { batch.messages[batch.messages.count - 1].receivedAt = time }
  }

  private func dump(_ words: ArraySlice<Substring>, _ batch: inout FeedBatch) {
    for (number, word) in zip(1..., words) {
      let (id, parts) = (UInt64(number), word.split { "-:".contains($0) })
      batch.appendRecord(.match, id: id) { batch in
        batch.set(.homeName, text: parts[0].utf8)
        batch.set(.awayName, text: parts[1].utf8)
      }
      batch.appendRecord(.market, id: id) { $0.set(.matchID, .id(id)) }
      batch.appendRecord(.outcome, id: id) { batch in
        batch.set(.marketID, .id(id))
        batch.set(.key, text: "home".utf8)
      }
      price(of: id, parts[2], .create, &batch)
    }
  }

  private func price(of id: UInt64, _ odds: Substring, _ change: ChangeKind, _ batch: inout FeedBatch) {
    batch.appendRecord(.bettingOffer, change, id: id) { batch in
      if change == .create { batch.set(.outcomeID, .id(id)) }
      batch.set(.odds, .fixed(Int64(Double(odds)! * Double(DecimalOdds.unitsPerOne))))
    }
  }
}

/// The form of the toy provider's messages.
package struct ToyFormat: FeedFormat {
  package init() {}

  package var name: String { "Toy" }
  package var emptyDump: [UInt8] { Array("dump".utf8) }
  package func makeDecoder() -> any FeedDecoder { ToyDecoder() }
  package func isMessage(_ line: UnsafeBufferPointer<UInt8>) -> Bool { line.first != UInt8(ascii: "{") }
  package func description(of reason: FeedIssue.Reason) -> String { "\(reason)" }

  package func head(of message: UnsafeBufferPointer<UInt8>) -> MessageHead {
    var head = MessageHead()
    head.isDump = message.starts(with: "dump".utf8) || message.starts(with: "\"dump".utf8)
    return head
  }
}

/// The topics of the toy provider: `matches/N` has the first N matches, `match/ID` one of them.
package struct ToyCatalog: FeedCatalog {
  package init() {}

  package func standardChannels(matches: Int) -> [(title: MessageKey, topic: Topic)] {
    [(.channelPopular, Topic(path: "matches/\(matches)"))]
  }

  package func topic(ofMatch id: MatchID, listedIn list: Topic) -> Topic? { Topic(path: "match/\(id)") }
  package func topic(ofOffers ids: [OfferID], listedIn list: Topic) -> Topic? {
    Topic(path: "offers/\(ids.map(\.description).joined(separator: "+"))")
  }
  package func matchLimit(of topic: Topic) -> Int? {
    topic.path.hasPrefix("matches/") ? Int(topic.path.dropFirst("matches/".count)) : nil
  }
  package func topic(_ topic: Topic, limitedTo matches: Int) -> Topic {
    matchLimit(of: topic) == nil ? topic : Topic(path: "matches/\(matches)")
  }
}
