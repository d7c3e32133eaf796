import AccountClient
import AccountModel
import ArgumentParser
import Dashboard
import EveryMatrix
import FeedNetwork
import Localization
import Logging
import OddsFeed
import Platform
import TerminalCore

@testable import toteboard

/// The board as the program makes it, connected to an address, on a screen in memory.
final class LoopbackBoard: Sendable {
  /// The connections of the board.
  struct Connections {
    let network: FeedConnections
    let session: FeedSession
    let service: ProviderService
    let account: AccountClient?
  }

  let screen: SharedScreen
  let input = ScriptedInput()
  let channels: [BoardChannel]
  let connections: Connections
  private let running: Task<Void, Never>

  /// Connects a board of that size to an address, or to a list of addresses. Without a directory it has no cache,
  /// without a login no account.
  init(
    _ url: String, token: String? = nil, login: ClientAccountService.Login? = nil, cacheIn directory: String? = nil,
    matches: Int = 40, size: Size = Size(rows: 24, columns: 80), words: Catalog = .english,
    wall: @escaping @Sendable () -> Int64 = ClientClock.wallTime
  ) throws {
    let list = try FeedAddressList(url)
    let endpoints = try FeedEndpoint.endpoints(
      of: list, token: try token.map { try Secret(token: $0, from: "the test") })
    let network = try FeedConnections(endpoints, agent: "toteboard-tests")
    let session = network.session(realms: list.addresses.map { _ in "loopback" })
    let cache = directory.map { BoardCache(directory: $0, address: url) }
    channels = BoardChannel.standard(EveryMatrixCatalog(), matches: matches, words: words)
    let feed = FeedOptions.Feed(
      transport: FallbackTransport(session, cache: cache, api: network.api), channels: channels, channelIndex: 0,
      network: network, address: url, currentAddress: FeedOptions.Feed.currentAddress(in: list, of: session),
      cache: cache)
    let service = ProviderService(feed, bounds: try StoreLimitOptions.parse([]))
    let live = ClientClock.live
    let account = login.map { _ in
      AccountClient(
        transport: network.account, clock: ClientClock(uptime: live.uptime, wall: wall, sleep: live.sleep),
        logger: Logger(label: "toteboard.account", factory: { _ in SwiftLogNoOpLogHandler() }))
    }
    if let account { service.showTokens(of: account) }
    let screen = SharedScreen(size: size)
    let state = BoardState(
      size: size, channels: channels, feedName: list.names[session.currentAddress], catalog: EveryMatrixCatalog(),
      canReconnect: true,
      words: words)
    let runtime = BoardRuntime(
      state: state, screen: screen, input: input, service: service,
      // NB: On a slow machine the account must not be left while it still connects: its connections are shut down next.
      account: account.map { ClientAccountService($0, login: login, stopTimeout: .seconds(60)) },
      executor: QueueExecutor(), framesPerSecond: 60, clock: BoardClock(wall: wall, zone: { _ in 0 }))
    running = Task { await runtime.run() }
    self.screen = screen
    connections = Connections(network: network, session: session, service: service, account: account)
  }

  /// Quits the board as `q` does, and shuts down its connections.
  func quit() async {
    await input.quit(running)
    await connections.network.shutDown()
  }
}
