package import OddsFeed
package import OddsModel
package import Platform

/// A session with Polymarket over any connectors (Session.md). `PolymarketMachine` makes all decisions.
package final class PolymarketSession: FeedTransport {
  package var heartbeat: Duration? { PolymarketTiming.ping }
  package var updatesMayPrecedeDump: Bool { false }
  package func makeDecoder() -> any FeedDecoder { PolymarketDecoder() }

  private let driver: SessionDriver<PolymarketMachine>

  /// Creates a session with the market channel, the sports channel and Gamma. Nothing happens before `connect()`.
  package init(
    market: any FrameConnector, sports: any FrameConnector, gamma: GammaClient, clock: ClientClock = .live
  ) {
    driver = SessionDriver(PolymarketMachine(), clock: clock) { action, frame, links, driver in
      switch action {
      case .connect(let channel, let link):
        let connector = channel == .market ? market : sports
        driver.open(link, connector, &links, opened: .socket(.opened, link: link)) {
          var reader = FrameReader(channel: channel)
          return { .socket(reader.read($0), link: link) }
        }
      case .fetch(let query, let request):
        driver.request {
          do throws(FeedError) {
            return .fetched(request: request, .success(try await gamma.events(of: query, now: clock.wall())))
          } catch { return .fetched(request: request, .failure(error)) }
        }
      case .close(let link): links.close(link)
      case .send(let text, let link): links.send(text, link)
      case .deliver(let subscription): return .frame(TransportFrame(subscription: subscription, bytes: frame))
      case .message(let subscription, let text):
        return .frame(TransportFrame(subscription: subscription, bytes: text))
      case .state(let connection): return .state(connection)
      case .topic(let subscription, let answer): return .topic(subscription, answer)
      case .alive: return .alive()
      }
      return nil
    }
  }

  /// The current state of the connection. The event that reports it may still be in the queue.
  package var state: ConnectionState { driver.machine.state }

  package func connect() async -> AsyncStream<TransportEvent> {
    driver.apply(.start)
    return driver.events()
  }

  package func drainBufferedEvents() -> [TransportEvent] { driver.drainBufferedEvents() }

  /// Ends the session. Returns when its tasks have ended and the peers have closed their connections, or after
  /// `PolymarketTiming.close`.
  package func disconnect() async { await driver.disconnect(within: PolymarketTiming.close) }

  package func subscribe(_ subscription: Subscription) async { driver.apply(.subscribe(subscription)) }

  package func unsubscribe(_ subscription: Subscription) async { driver.apply(.unsubscribe(subscription)) }

  package func reconnect() async { driver.apply(.reconnect) }
}

/// Reads the frames of one socket as far as the session needs it.
private struct FrameReader {
  let channel: PolymarketMachine.Channel
  private var reader = MarketEventReader()

  init(channel: PolymarketMachine.Channel) { self.channel = channel }

  mutating func read(_ event: FrameEvent) -> PolymarketMachine.SocketEvent {
    switch event {
    case .pong, .progress: return .progress
    case .closed(let error): return .closed(error)
    case .text(let bytes):
      let word = bytes.count == 4 ? String(decoding: bytes, as: UTF8.self).lowercased() : ""
      if word == "pong" { return .pong }
      if word == "ping" { return .ping }
      return bytes.withUnsafeBufferPointer { bytes in
        if channel == .sports { return .sports(game: SportsUpdate.read(bytes)?.gameID, text: Array(bytes)) }
        return MarketSummary(bytes, &reader).map { .market($0) } ?? .garbage
      }
    }
  }
}
