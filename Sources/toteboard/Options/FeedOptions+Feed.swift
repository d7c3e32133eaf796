import Dashboard
import FeedNetwork
import FeedRecording
import FeedSimulator
import OddsFeed
import OddsModel
import Platform

extension FeedOptions {
  /// A feed that is not yet connected, with its channels.
  struct Feed {
    var transport: any FeedTransport
    let channels: [BoardChannel]
    /// The index of the selected channel in `channels`.
    let channelIndex: Int

    /// The transport of a pipe; nil for other feeds.
    var pipe: NDJSONTransport?

    /// The transport of a recording with times, which can pause and seek; nil for other feeds.
    var recording: RecordingTransport?

    /// The simulated server in this process; nil for other feeds.
    var simulated: SimulatedConnector?

    /// The connections to an EveryMatrix feed over a network; nil for other feeds.
    var network: FeedConnections?

    /// The connections to a Polymarket server; nil for other feeds.
    var polymarket: PolymarketConnections?

    /// The connections to Betfair; nil for other feeds.
    var betfair: BetfairConnections?

    /// The provider, for a feed without end.
    var provider = FeedProvider.everyMatrix

    /// The addresses and realms of a feed over a network, by which its stored data is kept separate; nil for other
    /// feeds.
    var address: String?

    /// Returns the address in use; nil if the feed does not have several.
    var currentAddress: (@Sendable () -> CurrentAddress)?

    /// The cache of a feed over a network; nil for other feeds.
    var cache: BoardCache?

    /// The topics of the feed; nil for a recording and a pipe, whose content is fixed.
    var catalog: (any FeedCatalog)? { hasEnd ? nil : provider.catalog }

    /// True if the feed has a connection that can be lost and reestablished.
    var canReconnect: Bool { network != nil || polymarket != nil || betfair != nil }

    /// Closes the transport and its connections. A shutdown that takes more than 250 ms ends with the process.
    func close() async {
      await transport.disconnect()
      if !canReconnect { return }
      await within(.milliseconds(250)) {
        await network?.shutDown()
        await polymarket?.shutDown()
        await betfair?.shutDown()
      }
    }

    /// True for a file, whose prices are those of the past.
    var isFile = false

    /// False if the feed can always send more.
    var hasEnd: Bool { simulated == nil && !canReconnect }

    var topic: Topic { channels[channelIndex].topic }
  }
}
