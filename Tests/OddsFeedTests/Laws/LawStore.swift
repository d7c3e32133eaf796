import OddsFeed
import OddsModel
import TestSupport

/// A store on which a law is tried: the engine, and the reference too, so that a wrong law is found.
protocol LawStore {
  init()
  mutating func receive(_ texts: [String])
  /// Every match by id.
  mutating func shown() -> [String: String]
}

extension LawStore {
  /// Returns the content after those messages, each received by itself.
  static func after(_ messages: [FeedMessage]) -> [String: String] {
    var store = Self()
    for message in messages { store.receive([message.text]) }
    return store.shown()
  }
}

extension ReferenceStore: LawStore {
  mutating func receive(_ texts: [String]) {
    for text in texts { apply(text) }
  }

  func shown() -> [String: String] { pictures() }
}

/// The engine behind its decoder.
struct Engine: LawStore {
  var state = ChannelState()

  mutating func receive(_ texts: [String]) {
    _ = changes(texts)
  }

  /// Applies the messages as one batch.
  mutating func changes(_ texts: [String], at now: Int64 = 0) -> FeedChanges {
    state.apply(.lines(texts), at: now)
  }

  mutating func shown() -> [String: String] { matches().mapValues(\.picture) }

  /// Whole, with what no picture has: an outcome's last price.
  mutating func matches() -> [String: Match] {
    Dictionary(uniqueKeysWithValues: Array(state.matchIDs).map { ("\($0)", state.match($0)!) })
  }
}

/// The search for the first message after which the engine differs from the reference.
enum Disagreement {
  static func first(in messages: [FeedMessage]) -> String? {
    var (engine, reference) = (Engine(), ReferenceStore())
    for (place, message) in messages.enumerated() {
      engine.receive([message.text])
      reference.receive([message.text])
      if let difference = difference(engine.shown(), reference.shown()) {
        return "after message \(place): \(difference)"
      }
      if engine.state.counters.waiting != reference.waiting {
        return "after message \(place): \(engine.state.counters.waiting) wait, not \(reference.waiting)"
      }
    }
    return nil
  }

  static func difference(_ shown: [String: String], _ right: [String: String]) -> String? {
    if shown == right { return nil }
    let ids = Set(shown.keys).union(right.keys).filter { shown[$0] != right[$0] }.sorted()
    return ids.map { "is\n\(shown[$0] ?? "no match \($0)")\nnot\n\(right[$0] ?? "no match \($0)")" }
      .joined(separator: "\n")
  }

  /// The shortest script found, by leaving out what is not needed, on which `fails` still says something.
  static func shrunk(_ messages: [FeedMessage], _ fails: ([FeedMessage]) -> String?) -> String {
    var left = messages
    var at = left.count - 1
    while at >= 0 {
      var fewer = left
      fewer.remove(at: at)
      if fails(fewer) != nil { left = fewer }
      at -= 1
    }
    for place in left.indices {
      for record in left[place].records.indices.reversed() {
        var fewer = left
        fewer[place].records.remove(at: record)
        if fails(fewer) != nil { left = fewer }
      }
    }
    return left.map(\.text).joined(separator: "\n") + "\n" + (fails(left) ?? "")
  }
}
