import ArgumentParser
import Dashboard
import Localization
import ProgramArguments

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FeedOptions {
  /// What the user's file says. What is wrong with it is wrong usage.
  func configured() throws -> Configuration {
    guard let file = configFile else { return Configuration() }
    do throws(ConfigFault) { return try file.configuration() } catch {
      throw ValidationError(CLILanguage.words.text(error.sentence(file.path)))
    }
  }

  /// The user's file; nil where there is no place for one.
  var configFile: ConfigFile? { ConfigFile(config, environment: environment()) }

  /// The configuration with what the options say instead.
  func override(_ configured: Configuration) -> Configuration {
    var configuration = configured
    if let feed { configuration.feed = feed == Setting.simulated ? nil : feed }
    if let matches = matches?.value { configuration.matches = matches }
    if let rate = rate?.value { configuration.rate = rate }
    if let seed = seed?.value { configuration.seed = seed }
    if let channel { configuration.channel = channel }
    if let pipeTimeout { configuration.pipeTimeout = pipeTimeout }
    network.override(&configuration)
    bounds.override(&configuration)
    return configuration
  }

  /// What makes topics of what the configuration says; nil for a feed that has its own.
  var template: TopicTemplate? {
    if isNetworked { return TopicTemplate(of: configuration) }
    return configuration.feed == nil ? TopicTemplate(ofSimulated: configuration) : nil
  }

  /// What is kept of a board is kept for this feed alone.
  func sessionName(of feed: Feed) -> String {
    feed.address ?? configuration.feed.map { path in
      guard path != "-", let whole = realpath(path, nil) else { return path }
      defer { free(whole) }
      return String(cString: whole)
    } ?? Setting.simulated
  }
}
