package import OddsModel

/// The rule by which a feed finds the canonical form of a topic. Unlike the feed, it can be sent to another process.
package enum TopicRule: Hashable, Sendable {
  /// The rule of a simulated book with this number of matches.
  case simulated(matches: Int)
  /// Each topic is its own canonical form. Only the feed knows which topics exist.
  case verbatim

  /// Returns the canonical form of a topic; nil if no feed with this rule ever has the topic.
  package func canonical(_ topic: Topic) -> Topic? {
    switch self {
    case .simulated(let matches): TopicSelection.canonical(topic, matches: matches)
    case .verbatim: topic
    }
  }

  /// The rule as a text: `simulated MATCHES` or `verbatim`.
  package var text: String {
    switch self {
    case .simulated(let matches): "simulated \(matches)"
    case .verbatim: "verbatim"
    }
  }

  /// Creates a rule from its text. A rule that is not known is `verbatim`, which is right for every feed: equal
  /// requests do not share a topic then.
  package init(text: String) {
    let words = text.split(separator: " ")
    if words.count == 2, words[0] == "simulated", let matches = Int(words[1]), matches >= 0 {
      self = .simulated(matches: matches)
    } else {
      self = .verbatim
    }
  }
}
