package import Localization
package import OddsFeed
package import OddsModel

/// A channel of the board: a numbered tab.
package struct BoardChannel: Hashable, Sendable {
  package let title: String
  package let topic: Topic
  /// The message of a translated title. The English text is made only when the name is requested.
  private let meaning: LocalizedMessage?

  /// Creates a channel. A channel with a translated title can also be named in English.
  package init(title: String, topic: Topic, meaning: LocalizedMessage? = nil) {
    self.title = title
    self.topic = topic
    self.meaning = meaning
  }

  /// The English name, which help shows in every language. The title itself if it is not translated.
  package var name: String { meaning?.description ?? title }

  /// The channel with a title in ASCII: without accents, or else the English name.
  package var inASCII: BoardChannel {
    let plain = title.inASCII
    return BoardChannel(title: plain.utf8.allSatisfy { $0 < 0x80 } ? plain : name, topic: topic, meaning: meaning)
  }

  /// Returns true if a text is the channel's title or English name, ignoring case.
  package func isCalled(_ text: String) -> Bool {
    title.lowercased() == text.lowercased() || name.lowercased() == text.lowercased()
  }

  /// Returns the usual channels of a feed, each with at most `matches` matches.
  package static func standard(_ catalog: any FeedCatalog, matches: Int, words: Catalog = .english) -> [BoardChannel] {
    catalog.standardChannels(matches: matches).map { title, topic in
      BoardChannel(title: words(title), topic: topic, meaning: LocalizedMessage(title))
    }
  }
}

/// A tab of the header: a watch list, by its index, or a channel.
enum Tab: Hashable, Sendable {
  case watchList(Int)
  case channel(Int)

  /// Returns the number on the tab: 0 for the first watch list; the others follow the channels.
  func number(channels: Int) -> Int {
    switch self {
    case .watchList(0): 0
    case .channel(let index): index + 1
    case .watchList(let index): channels + index
    }
  }

  /// Returns the tab with a number.
  static func numbered(_ number: Int, channels: Int) -> Tab {
    if number == 0 { return .watchList(0) }
    return number <= channels ? .channel(number - 1) : .watchList(number - channels)
  }
}
