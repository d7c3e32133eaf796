import AsyncHTTPClient
import Locking
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL
public import OddsFeed

/// Opens WebSockets to a feed.
public final class WebSocketConnector: FrameConnector {
  private let endpoint: FeedEndpoint
  private let proxy: ProxyRules.Proxy?
  private let group: any EventLoopGroup
  private let handshake: WebSocketHandshake
  private let limits: NetworkLimits
  /// Made at the first use: reading the machine's authorities takes a while.
  private let tls = Locked<NIOSSLContext?>(nil)

  init(
    _ endpoint: FeedEndpoint, agent: String, proxy: ProxyRules.Proxy?, group: any EventLoopGroup,
    limits: NetworkLimits = NetworkLimits()
  ) {
    self.endpoint = endpoint
    self.proxy = proxy
    self.group = group
    self.limits = limits
    handshake = WebSocketHandshake(endpoint: endpoint, agent: agent, limits: limits)
  }

  package func connect() async throws(LineFault) -> any FrameConnection {
    let attempt = ConnectAttempt()
    let words = Words(address: endpoint.address, proxy: proxy)
    let limit = group.any().scheduleTask(in: limits.connect) { [limits] in
      attempt.end(.failure(words.timedOut(after: limits.connect)))
    }
    defer { limit.cancel() }
    open(for: attempt, words)
    let result = await withTaskCancellationHandler {
      await attempt.result()
    } onCancel: {
      attempt.end(.failure(words.fault(.lost, "was given up", remedy: "connect again")))
    }
    return try result.get()
  }

  private func open(for attempt: ConnectAttempt, _ words: Words) {
    let (host, port) = proxy.map { ($0.host, $0.port) } ?? (endpoint.address.host, endpoint.address.port)
    ClientBootstrap(group: group).connectTimeout(limits.connect).connect(host: host, port: port)
      .flatMap { channel in
        attempt.adopt(channel)
        return self.tunnel(through: channel).flatMapThrowing { try self.encrypt(channel) }
          .flatMap { self.handshake.begin(on: channel, attempt) }
      }
      .whenFailure { attempt.end(.failure(words.fault($0))) }
  }

  /// Asks the proxy, where there is one, for a way to the feed.
  private func tunnel(through channel: any Channel) -> EventLoopFuture<Void> {
    guard let proxy else { return channel.eventLoop.makeSucceededVoidFuture() }
    let address = endpoint.address
    var headers = HTTPHeaders([("Host", "\(address.bracketedHost):\(address.port)")])
    if let user = proxy.authorization { headers.add(name: "Proxy-Authorization", value: user.headerValue) }
    let isThrough = channel.eventLoop.makePromise(of: Void.self)
    let encoder = HTTPRequestEncoder()
    let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
    let connect = NIOHTTP1ProxyConnectHandler(
      targetHost: address.bracketedHost, targetPort: address.port, headers: headers, deadline: .now() + limits.connect,
      promise: isThrough)
    let pipeline = channel.pipeline.syncOperations
    do {
      try pipeline.addHandlers([encoder, decoder, connect])
    } catch { isThrough.fail(error) }
    let bound = NIOLoopBound((encoder, decoder), eventLoop: channel.eventLoop)
    return isThrough.futureResult.flatMap {
      let pipeline = channel.pipeline.syncOperations
      return pipeline.removeHandler(bound.value.0).and(pipeline.removeHandler(bound.value.1)).map { _ in }
    }
  }

  private func encrypt(_ channel: any Channel) throws {
    guard endpoint.address.isSecure else { return }
    let context = try tls.withLock { context in
      let known = try context ?? NIOSSLContext(configuration: endpoint.tls)
      context = known
      return known
    }
    // NB: without a name the certificate is checked against the peer's address.
    let name = endpoint.address.isIPAddress ? nil : endpoint.address.host
    try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
  }
}
