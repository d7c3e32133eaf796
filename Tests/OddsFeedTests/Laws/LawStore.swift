import OddsFeed
import OddsModel
import TestSupport

/// A store under test: the engine, or the reference store, which detects a wrong law.
protocol LawStore {
  init()
  mutating func receive(_ texts: [String])
  /// Returns every match by id.
  mutating func shown() -> [String: String]
}

extension LawStore {
  /// Returns the matches after the messages, each received as a batch of its own.
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

/// The engine with its decoder.
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

  /// Returns the complete matches, including the last price of an outcome, which pictures omit.
  mutating func matches() -> [String: Match] {
    Dictionary(uniqueKeysWithValues: Array(state.matchIDs).map { ("\($0)", state.match($0)!) })
  }
}

/// A search for the first message after which the engine differs from the reference store.
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

  /// Returns the shortest script found, by removing messages and records, for which `fails` still returns a text.
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
