import ArgumentParser
import Dashboard
import EveryMatrix
import FeedNetwork
import Localization
import OddsFeed
import OddsModel

extension FeedOptions {
  /// Returns the channels of a feed over a network. An error in its address or in the configuration is a usage error.
  func networkedChannels() throws -> [BoardChannel] {
    do throws(FeedError) { _ = try FeedAddress(configuration.feed ?? "") } catch {
      throw ValidationError(CLILanguage.words.text(error.sentence))
    }
    let channels = configuration.channels(TopicTemplate(of: configuration))
    _ = try place(in: channels)
    return channels
  }

  /// Returns the feed with a fallback for the time before the first data and while the stream is missing: the cache and
  /// the HTTP API.
  func staged(_ feed: Feed) -> Feed {
    guard let network = feed.network, let address = feed.address else { return feed }
    let environment = environment()
    var feed = feed
    feed.cache = BoardCache.directory { environment[$0] }.map { BoardCache(directory: $0, address: address) }
    feed.transport = FallbackTransport(feed.transport, cache: feed.cache, api: network.api)
    return feed
  }

  func networked() throws -> Feed {
    let channels = try networkedChannels()
    let endpoint = try network.endpoint(configuration, environment: environment())
    let line = try FeedConnections(endpoint, agent: "toteboard/\(Toteboard.configuration.version)")
    let realm = configuration.realm ?? endpoint.address.host
    let session = FeedSession(connector: line.connector, realm: realm)
    return Feed(
      transport: session, channels: channels, place: try place(in: channels), network: line,
      address: "\(endpoint.address) \(realm)")
  }
}
