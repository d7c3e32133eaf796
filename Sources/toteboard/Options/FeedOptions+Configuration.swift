import ArgumentParser
import CLibrary
import Dashboard
import Localization
import OddsModel
import ProgramArguments

extension FeedOptions {
  /// Returns the configuration of the user's file. An error in it is a usage error.
  func configured() throws -> Configuration {
    guard let file = configFile else { return Configuration() }
    do throws(ConfigError) { return try file.configuration() } catch {
      throw ValidationError(CLILanguage.words.text(error.sentence(file.path)))
    }
  }

  /// The user's configuration file; nil if there is no home directory.
  var configFile: ConfigFile? { ConfigFile(config, environment: environment()) }

  func override(_ configured: Configuration) -> Configuration {
    var configuration = configured
    if let feed { configuration.feed = feed == Setting.simulated ? nil : feed }
    if let matches = matches?.value { configuration.matches = matches }
    if let rate = rate?.value { configuration.rate = rate }
    if let seed = seed?.value { configuration.seed = seed }
    if let channel { configuration.channel = channel }
    if let pipeTimeout = pipeTimeout?.value { configuration.pipeTimeout = pipeTimeout }
    configuration.settings.odds = configuration.odds ?? FeedProvider(of: configuration.feed).oddsFormat
    network.override(&configuration)
    betfair.override(&configuration)
    bounds.override(&configuration)
    return configuration
  }

  /// The template of the configured channels; nil for a feed that defines its own.
  var template: TopicTemplate? {
    if isNetworked { return TopicTemplate(of: configuration) }
    return configuration.feed == nil ? TopicTemplate(ofSimulated: configuration) : nil
  }

  /// Returns the name by which the dashboard's session is stored, unique for each feed.
  func sessionName(of feed: Feed) -> String {
    feed.address ?? configuration.feed.map { path in
      guard path != "-", let whole = realpath(path, nil) else { return path }
      defer { free(whole) }
      return String(cString: whole)
    } ?? Setting.simulated
  }
}
