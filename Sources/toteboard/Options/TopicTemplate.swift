import Dashboard
import EveryMatrix
import Localization
import OddsModel

/// The parameters that all topics of a feed share.
struct TopicTemplate {
  var operatorID: String
  var language: String
  /// The number of matches of a channel that does not set its own.
  var matches: Int

  /// Creates the template of a feed over a network.
  init(of configuration: Configuration) {
    operatorID = configuration.operatorID ?? "1"
    language = configuration.feedLanguage ?? CLILanguage.words.language.feedCode
    matches = configuration.matches
  }

  init(ofSimulated configuration: Configuration) {
    (operatorID, language, matches) = ("1", "en", configuration.matches)
  }

  var standardChannels: [BoardChannel] {
    let catalog = EveryMatrixCatalog(operatorID: operatorID, language: language)
    return BoardChannel.standard(catalog, matches: matches, words: CLILanguage.words)
  }

  /// Returns the topic of a path, with `{op}` and `{lang}` replaced.
  func topic(_ path: String) -> Topic {
    Topic(path: path.replacing("{op}", with: operatorID).replacing("{lang}", with: language))
  }

  func aggregator(_ kind: Topic.MatchList, sport: String, matches: Int?, markets: Int) -> Topic {
    .aggregator(
      kind, sport: sport, matches: matches ?? self.matches, markets: markets, operatorID: operatorID, language: language
    )
  }
}
