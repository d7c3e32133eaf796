import Betfair
import Dashboard
import EveryMatrix
import Localization
import OddsFeed
import OddsModel
import Polymarket

/// The parameters that all topics of a feed share.
struct TopicTemplate {
  var provider = FeedProvider.everyMatrix
  var operatorID: String
  var language: String
  /// The number of matches of a channel that does not set its own.
  var matches: Int

  /// Creates the template of a feed over a network.
  init(of configuration: Configuration) {
    provider = FeedProvider(of: configuration.feed)
    operatorID = configuration.operatorID ?? "1"
    language = configuration.feedLanguage ?? CLILanguage.words.language.feedCode
    matches = configuration.matches
  }

  init(ofSimulated configuration: Configuration) {
    operatorID = "1"
    language = "en"
    matches = configuration.matches
  }

  var standardChannels: [BoardChannel] {
    let catalog: any FeedCatalog =
      switch provider {
      case .everyMatrix: EveryMatrixCatalog(operatorID: operatorID, language: language)
      case .polymarket, .betfair: provider.catalog
      }
    return BoardChannel.standard(catalog, matches: matches, words: CLILanguage.words)
  }

  /// Returns the topic of a path, with `{op}` and `{lang}` replaced.
  func topic(_ path: String) -> Topic {
    Topic(path: path.replacing("{op}", with: operatorID).replacing("{lang}", with: language))
  }

  /// Returns a topic of Betfair with this number of levels, and with or without the stakes matched. With nil, it has
  /// those of its path. A topic of another feed does not change.
  func topic(_ topic: Topic, levels: Int?, hasVolumes: Bool?) -> Topic {
    guard provider == .betfair, levels != nil || hasVolumes != nil, var result = BetfairTopic(topic) else {
      return topic
    }
    result.levels = levels ?? result.levels
    result.hasVolumes = hasVolumes ?? result.hasVolumes
    return result.topic
  }

  /// Returns the topic of a list. Polymarket has lists of live games and of games by day and by league; Betfair has
  /// lists by sport, and of markets in-play. With nil for `matches`, a list of Betfair has no limit.
  func aggregator(_ kind: Topic.MatchList, sport: String, matches: Int?, markets: Int) -> Topic {
    if provider == .polymarket {
      let limit = matches ?? self.matches
      if sport != Topic.allSports { return PolymarketTopic.league(sport, limit: limit).topic }
      return kind == .live ? PolymarketTopic.live(limit: limit).topic : PolymarketTopic.today(limit: limit).topic
    }
    if provider == .betfair {
      return BetfairCatalog.list(
        sport: sport == Topic.allSports ? nil : sport, isInPlay: kind == .live, limit: matches)
    }
    return .aggregator(
      kind, sport: sport, matches: matches ?? self.matches, markets: markets, operatorID: operatorID, language: language
    )
  }
}
