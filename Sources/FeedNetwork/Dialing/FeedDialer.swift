import AccountModel
import Localization
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL
import OddsFeed
import OddsModel
import Platform

/// Opens channels to a feed's host, through a proxy if one is set, and with TLS if the address is secure.
final class FeedDialer: Sendable {
  let endpoint: FeedEndpoint
  /// The User-Agent of all requests.
  let agent: String
  let limits: NetworkLimits
  private let proxy: ProxyRules.Proxy?
  private let group: MultiThreadedEventLoopGroup
  /// The TLS context. Created at first use, because loading the system's root certificates takes time.
  private let tls = Locked<NIOSSLContext?>(nil)

  init(
    _ endpoint: FeedEndpoint, agent: String, limits: NetworkLimits = NetworkLimits(), group: MultiThreadedEventLoopGroup
  ) throws(FeedError) {
    self.endpoint = endpoint
    self.agent = agent
    self.limits = limits
    self.group = group
    proxy = try endpoint.proxies.proxy(for: endpoint.address)
  }

  /// Returns the headers of every request to the feed.
  func headers(token: Secret?) -> HTTPHeaders {
    var headers = HTTPHeaders([
      ("Host", endpoint.address.authority), ("Origin", endpoint.origin), ("User-Agent", agent),
    ])
    if let token { headers.add(name: "Authorization", value: "Bearer \(token.text)") }
    return headers
  }

  /// Opens a channel and returns the value that `use` makes of it. Cancelling the task abandons the attempt.
  ///
  /// - Parameters:
  ///   - part: The name of the peer in error messages; nil for the feed's WebSocket.
  ///   - use: Called on the channel's event loop. Ends the attempt, or returns a future that fails.
  /// - Throws: A `ConnectionError` if the attempt fails or is cancelled, or the time is up.
  func dial<Value: Sendable>(
    within limit: TimeAmount, to part: LocalizedMessage? = nil,
    _ use: @escaping @Sendable (any Channel, OneShotResult<Value>) -> EventLoopFuture<Void>
  ) async throws(ConnectionError) -> Value {
    let attempt = OneShotResult<Value>()
    let words = ErrorMessages(address: endpoint.address, proxy: proxy, part: part)
    // NB: After a cancelled attempt, the caller may end the event loop. No connection must begin then.
    if Task.isCancelled { throw words.givenUp }
    let loop = group.next()
    let alarm = loop.scheduleTask(in: limit) { attempt.end(.failure(words.timedOut(after: limit))) }
    let isSpent = Locked(false)
    // NB: Only an alarm that has not completed is cancelled: the event loop accepts no calls after shutdown.
    defer { if !isSpent.withLock({ $0 }) { alarm.cancel() } }
    alarm.futureResult.whenComplete { outcome in
      isSpent.withLock { $0 = true }
      // A failed alarm means that the event loop was shut down: no other event will end the attempt.
      if case .failure = outcome { attempt.end(.failure(words.givenUp)) }
    }
    let (host, port) = proxy.map { ($0.host, $0.port) } ?? (endpoint.address.host, endpoint.address.port)
    // NB: On the channel's event loop, so that the handlers are in place before the first bytes of the peer are read.
    loop.flatSubmit {
      ClientBootstrap(group: loop).connectTimeout(limit).connect(host: host, port: port).flatMap { channel in
        attempt.adopt(channel)
        return self.tunnel(through: channel, within: limit).flatMapThrowing { try self.encrypt(channel) }
          .flatMap { use(channel, attempt) }
      }
    }
    .whenFailure { attempt.end(.failure(words.fault($0))) }
    let result = await withTaskCancellationHandler {
      await attempt.result()
    } onCancel: {
      attempt.end(.failure(words.givenUp))
    }
    return try result.get()
  }

  /// Asks the proxy, if there is one, for a tunnel to the feed.
  private func tunnel(through channel: any Channel, within limit: TimeAmount) -> EventLoopFuture<Void> {
    guard let proxy else { return channel.eventLoop.makeSucceededVoidFuture() }
    let address = endpoint.address
    var headers = HTTPHeaders([("Host", "\(address.bracketedHost):\(address.port)")])
    if let user = proxy.authorization { headers.add(name: "Proxy-Authorization", value: user.text) }
    let isThrough = channel.eventLoop.makePromise(of: Void.self)
    let encoder = HTTPRequestEncoder()
    let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
    let connect = NIOHTTP1ProxyConnectHandler(
      targetHost: address.bracketedHost, targetPort: address.port, headers: headers, deadline: .now() + limit,
      promise: isThrough)
    do {
      try channel.pipeline.syncOperations.addHandlers([encoder, decoder, connect])
    } catch { isThrough.fail(error) }
    let handlers = NIOLoopBound((encoder, decoder), eventLoop: channel.eventLoop)
    return isThrough.futureResult.flatMap {
      let pipeline = channel.pipeline.syncOperations
      return pipeline.removeHandler(handlers.value.0).and(pipeline.removeHandler(handlers.value.1)).map { _ in }
    }
  }

  private var configuration: TLSConfiguration {
    var configuration = endpoint.tls
    // Behind a proxy, NIOSSL would compare the certificate with the proxy's IP address. `encrypt(_:)` checks the feed's
    // own address in any case.
    if proxy != nil, endpoint.address.isIPAddress { configuration.certificateVerification = .noHostnameVerification }
    return configuration
  }

  private func encrypt(_ channel: any Channel) throws {
    let address = endpoint.address
    guard address.isSecure else { return }
    let context = try tls.withLock { context in
      let known = try context ?? NIOSSLContext(configuration: configuration)
      context = known
      return known
    }
    // NB: NIOSSL also accepts a certificate for the peer's IP address. That may be a proxy's, or come from a forged DNS
    // answer, so it does not prove that the peer is the feed. Hence the additional check.
    let handler = try NIOSSLClientHandler._makeSSLClientHandler(
      context: context, serverHostname: address.isIPAddress ? nil : address.host
    ) {
      certificate, channel in
      channel.eventLoop.makeCompletedFuture {
        guard certificate.names(address.host) else { throw NIOSSLExtraError.failedToValidateHostname }
      }
    }
    try channel.pipeline.syncOperations.addHandler(handler)
  }
}

extension NIOSSLCertificate {
  /// Returns true if a name or address in the certificate is the host's. `*` stands for the first label.
  fileprivate func names(_ host: String) -> Bool {
    let name = host.last == "." ? host.dropLast() : host[...]
    return _subjectAlternativeNames().contains { alternative in
      if alternative.nameType == .ipAddress {
        let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: alternative.contents), port: 0)
        return address?.ipAddress == host
      }
      guard alternative.nameType == .dnsName else { return false }
      let text = String(decoding: alternative.contents, as: UTF8.self).lowercased()
      if text.hasPrefix("*.") { return name.firstIndex(of: ".").map { name[$0...] == text.dropFirst() } ?? false }
      return text == name
    }
  }
}
