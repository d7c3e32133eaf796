package import AccountModel
package import OddsFeed
import OddsModel
package import Platform

/// A session with Betfair over any connectors (Session.md). `BetfairMachine` makes all decisions.
package final class BetfairSession: FeedTransport {
  /// The time between two heartbeats of the provider.
  static let heartbeat = Duration.milliseconds(MarketSubscription().heartbeat)

  package var heartbeat: Duration? { Self.heartbeat }
  package var updatesMayPrecedeDump: Bool { false }
  package func makeDecoder() -> any FeedDecoder { BetfairDecoder() }

  private let driver: SessionDriver<BetfairMachine>

  /// Creates a session with the stream, the login service and the catalogue. Nothing happens before `connect()`.
  /// Betfair merges the updates of a market over `conflateMs` milliseconds.
  package init(
    stream: any FrameConnector, logins: LoginClient, catalogue: CatalogueClient, appKey: Secret, conflateMs: Int64 = 0,
    clock: ClientClock = .live
  ) {
    driver = SessionDriver(BetfairMachine(appKey: appKey, conflateMs: conflateMs), clock: clock) { event, queued in
      // NB: No line is dropped when the connection is lost, because the next connection continues at the position of
      // the last line.
      if case .state = event { return true }
      return event.coalesce(with: &queued)
    } perform: { action, line, links, driver in
      switch action {
      case .logIn(let request):
        driver.request { .login(request: request, await logins.logIn()) }
      case .keepAlive(let token, let request):
        driver.request { .login(request: request, await logins.keepAlive(token)) }
      case .fetch(let subscription, let limit, let token, let request):
        driver.request {
          .catalogue(request: request, await catalogue.markets(of: subscription, limit: limit, token: token))
        }
      case .connect(let link):
        driver.open(link, stream, &links, opened: .stream(.opened, link: link)) {
          { .stream(BetfairMachine.StreamEvent($0), link: link) }
        }
      case .close(let link): links.close(link)
      case .send(let text, let link): links.send(text, link)
      case .deliver(let subscription): return .frame(TransportFrame(subscription: subscription, bytes: line))
      case .message(let subscription, let text):
        return .frame(TransportFrame(subscription: subscription, bytes: text))
      case .state(let connection): return .state(connection)
      case .topic(let subscription, let answer): return .topic(subscription, answer)
      case .namesMissing(let subscription, let error): return .api(subscription, error)
      case .alive: return .alive()
      }
      return nil
    }
  }

  package func connect() async -> AsyncStream<TransportEvent> {
    driver.apply(.start)
    return driver.events()
  }

  package func drainBufferedEvents() -> [TransportEvent] { driver.drainBufferedEvents() }

  /// Ends the session. Returns when its tasks have ended and the peers have closed their connections, or after
  /// `BetfairTiming.close`.
  package func disconnect() async { await driver.disconnect(within: BetfairTiming.close) }

  package func subscribe(_ subscription: Subscription) async { driver.apply(.subscribe(subscription)) }

  package func unsubscribe(_ subscription: Subscription) async { driver.apply(.unsubscribe(subscription)) }

  package func reconnect() async { driver.apply(.reconnect) }
}

extension BetfairMachine.StreamEvent {
  init(_ event: FrameEvent) {
    switch event {
    case .text(let bytes): self = .line(bytes)
    case .pong, .progress: self = .progress
    case .closed(let error): self = .closed(error)
    }
  }
}
