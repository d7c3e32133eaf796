import Dashboard
import EveryMatrix
import FeedNetwork
import FeedRecording
import OddsFeed
import OddsHistory
import OddsModel
import TerminalCore

/// The program's configuration, by its file and its options, with a default for every value.
struct Configuration: Equatable {
  static let fpsRange = 1...1000
  static let pendingLimitRange = 0...10_000_000
  /// Seconds.
  static let pendingTimeoutRange = 0...86_400

  /// The path or address of the feed; nil for the simulated one.
  var feed: String?
  var channel: String?
  var matches = 100
  /// The number of odds updates of the simulated feed in a second.
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
  var betfairAppKeyFile: String?
  var betfairIdentity: String?
  var betfairKeepAlive: String?
  var betfairAPI: String?
  /// The time over which Betfair merges the updates of a market, in milliseconds; 0 if it merges none.
  var betfairConflateMs = 0
  var clientCert: String?
  var clientKey: String?
  var login: String?
  var staysLoggedIn = false
  var pendingLimit = StoreOptions().pendingLimit
  /// The time for which a record waits for its parent, in seconds.
  var pendingTimeout = Int(StoreOptions().pendingTimeout / .seconds(1))

  /// The command that each alert runs; nil for none.
  var alertCommand: CommandTemplate?
  /// The address that each alert is sent to; nil for none.
  var alertWebhook: WebhookAddress?

  var keepsHistory = true
  var historyDays = HistoryLimits().days
  var historySize = ByteSize(HistoryLimits().bytes)

  var language: String?
  var zone = Zone.local
  var fps = 60
  /// The odds format of the file; nil for that of the feed's provider.
  var odds: OddsFormat?
  /// The settings that can also change while the dashboard is open.
  var settings = BoardSettings()
  /// The name of the chosen theme, before the available themes are known.
  var themeName = Theme.auto.name

  var keepsStandardChannels = true
  var channels: [ConfiguredChannel] = []

  /// Applies the values that an open dashboard can change.
  mutating func apply(whileOpen new: Configuration) {
    odds = new.odds
    settings = new.settings
    channels = new.channels
    keepsStandardChannels = new.keepsStandardChannels
  }

  /// Returns the channels of a feed with standard topics.
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

/// A channel of the configuration, without the parameters that all topics of a feed share.
struct ConfiguredChannel: Hashable {
  enum Content: Hashable {
    /// A path that may contain `{op}` and `{lang}`.
    case topic(String)
    case aggregator(Topic.MatchList, sport: String, matches: Int?, markets: Int)
  }

  var title: String
  var content: Content
  /// The number of levels of each side on Betfair; nil for that of the topic.
  var levels: Int?
  /// True if the topic on Betfair has the stakes matched; nil for what its path says.
  var hasVolumes: Bool?

  func channel(_ template: TopicTemplate) -> BoardChannel {
    let topic =
      switch content {
      case .topic(let path): template.topic(path)
      case .aggregator(let kind, let sport, let matches, let markets):
        template.aggregator(kind, sport: sport, matches: matches, markets: markets)
      }
    return BoardChannel(title: title, topic: template.topic(topic, levels: levels, hasVolumes: hasVolumes))
  }
}
