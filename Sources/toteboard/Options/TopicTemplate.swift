import Dashboard
import Localization
import OddsFeed

/// What is the same in all topics of one feed.
struct TopicTemplate {
  var operatorID: String
  var language: String
  /// How many matches a channel has that does not say.
  var matches: Int

  /// Of a feed over a network.
  init(of configuration: Configuration) {
    operatorID = configuration.operatorID ?? "1"
    language = configuration.feedLanguage ?? CLILanguage.words.language.feedCode
    matches = configuration.matches
  }

  /// Of the feed in this process.
  init(ofSimulated configuration: Configuration) {
    (operatorID, language, matches) = ("1", "en", configuration.matches)
  }

  var standardChannels: [BoardChannel] {
    BoardChannel.standard(matches: matches, operatorID: operatorID, language: language, words: CLILanguage.words)
  }

  /// A topic with `{op}` and `{lang}` filled in.
  func topic(_ path: String) -> Topic {
    Topic(path: path.replacing("{op}", with: operatorID).replacing("{lang}", with: language))
  }

  func aggregator(_ kind: Topic.MatchList, sport: String, matches: Int?, markets: Int) -> Topic {
    .aggregator(
      kind, sport: sport, matches: matches ?? self.matches, markets: markets, operatorID: operatorID, language: language
    )
  }
}
