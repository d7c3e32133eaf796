import OddsFeed
import OddsModel
import TestSupport

/// A store under test: the engine, or the reference store, which detects a wrong law.
protocol StoreUnderTest {
  init()
  mutating func receive(_ texts: [String])
  /// Returns every match by id.
  mutating func shown() -> [String: String]
}

extension StoreUnderTest {
  /// Returns the matches after the messages, each received as a batch of its own.
  static func after(_ messages: [FeedMessage]) -> [String: String] {
    var store = Self()
    for message in messages { store.receive([message.text]) }
    return store.shown()
  }
}

extension ReferenceStore: StoreUnderTest {
  mutating func receive(_ texts: [String]) {
    for text in texts { apply(text) }
  }

  func shown() -> [String: String] { pictures() }
}

/// The engine with its decoder.
struct Engine: StoreUnderTest {
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
enum StoreComparison {
  static func first(in messages: [FeedMessage]) -> String? {
    var (engine, reference) = (Engine(), ReferenceStore())
    for (index, message) in messages.enumerated() {
      engine.receive([message.text])
      reference.receive([message.text])
      if let difference = difference(engine.shown(), reference.shown()) {
        return "after message \(index): \(difference)"
      }
      if engine.state.counters.waiting != reference.waiting {
        return "after message \(index): \(engine.state.counters.waiting) wait, not \(reference.waiting)"
      }
    }
    return nil
  }

  static func difference(_ shown: [String: String], _ expected: [String: String]) -> String? {
    if shown == expected { return nil }
    let ids = Set(shown.keys).union(expected.keys).filter { shown[$0] != expected[$0] }.sorted()
    return ids.map { "is\n\(shown[$0] ?? "no match \($0)")\nnot\n\(expected[$0] ?? "no match \($0)")" }
      .joined(separator: "\n")
  }

  /// Returns the shortest script found, by removing messages and records, for which `fails` still returns a text.
  static func shrunk(_ messages: [FeedMessage], _ fails: ([FeedMessage]) -> String?) -> String {
    var remaining = messages
    var at = remaining.count - 1
    while at >= 0 {
      var fewer = remaining
      fewer.remove(at: at)
      if fails(fewer) != nil { remaining = fewer }
      at -= 1
    }
    for index in remaining.indices {
      for record in remaining[index].records.indices.reversed() {
        var fewer = remaining
        fewer[index].records.remove(at: record)
        if fails(fewer) != nil { remaining = fewer }
      }
    }
    return remaining.map(\.text).joined(separator: "\n") + "\n" + (fails(remaining) ?? "")
  }
}
