import Dashboard
import FeedClient
import OddsFeed
import TerminalCore

/// What the program is told, by its configuration and its options: each thing at its default where neither says.
struct Configuration: Equatable {
  /// Nil for the simulated feed.
  var feed: String?
  var channel: String?
  var matches = 100
  var rate = 10.0
  var seed: UInt64 = 1
  var speed = SpeedOption(speed: .times(1))
  var pipeTimeout = PipeTimeout.off

  var realm: String?
  var origin: String?
  var operatorID: String?
  var feedLanguage: String?
  var caFile: String?
  var tokenFile: String?
  var login: String?
  var staysLoggedIn = false
  var heldLimit = StoreOptions().heldLimit
  var heldAge = Int(StoreOptions().heldAge / .seconds(1))

  var language: String?
  var zone = Zone.local
  var fps = 60
  /// What can be set while the board is open, too.
  var settings = BoardSettings()
  /// What the theme is called that was asked for, before it is known which there are.
  var themeName = Theme.auto.name

  var keepsStandardChannels = true
  var channels: [ConfiguredChannel] = []

  /// Takes over what a board that is open can take.
  mutating func take(whileOpen new: Configuration) {
    (settings, channels, keepsStandardChannels) = (new.settings, new.channels, new.keepsStandardChannels)
  }

  /// The channels of a feed that has the usual topics.
  func channels(_ template: TopicTemplate) -> [BoardChannel] {
    channels.reduce(into: keepsStandardChannels ? template.standardChannels : []) { list, own in
      let channel = own.channel(template)
      if let same = list.firstIndex(where: { $0.isCalled(channel.title) }) {
        list[same] = channel
      } else {
        list.append(channel)
      }
    }
  }
}

/// A channel as the configuration has it: what is the same in all topics of a feed is left open.
struct ConfiguredChannel: Hashable {
  enum Content: Hashable {
    /// With `{op}` and `{lang}` in it.
    case topic(String)
    case aggregator(Topic.MatchList, sport: String, matches: Int?, markets: Int)
  }

  var title: String
  var content: Content

  func channel(_ template: TopicTemplate) -> BoardChannel {
    let topic =
      switch content {
      case .topic(let path): template.topic(path)
      case .aggregator(let kind, let sport, let matches, let markets):
        template.aggregator(kind, sport: sport, matches: matches, markets: markets)
      }
    return BoardChannel(title: title, topic: topic)
  }
}
