import NIOCore
import NIOHTTP1

/// Guards an HTTP connection. Refuses requests that are not complete within `requestTime`, WebSocket requests that
/// `AccessPolicy` rejects, and input that is not HTTP. Reads no further request until the response to the last one is
/// written and the client has read most of it. Closes a connection that is idle for too long, and limits the time that
/// closing takes to `closeTime`.
///
/// NB: NIO's upgrade handler drops the head of a request that it does not upgrade. It is therefore only shown the
/// `Upgrade` header of a request that it will upgrade.
final class HTTPAdmissionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The maximum number of requests without a response. There is more than one only if they arrive in one read, or if
  /// the client closes its side.
  private static let maxPipelined = 256

  /// The settings that all connections of a listener share.
  struct Settings: Sendable {
    let limits: ServerLimits
    let metrics: ServerMetrics
    let connections: ConnectionTable
    /// The rules for WebSocket requests; nil if the listener has no WebSocket.
    var admission: AccessPolicy?
    var proxies = TrustedProxies()
    /// The turns of reading, by event loop. On others, connections are read at once.
    var turns: [ObjectIdentifier: ReadTurns] = [:]
  }

  private let settings: Settings
  /// The address of the connection; nil if it is not one of the Internet.
  private var peer: IPAddress?
  /// True if the connection is that of a trusted proxy, so that each request may be from another client.
  private var isProxy = false
  /// The deadline for a complete request.
  private var requestTimer: Scheduled<Void>?
  /// The next check of an idle connection.
  private var idleTimer: Scheduled<Void>?
  /// The deadline for the connection to close, whichever side closes it.
  private var closeTimer: Scheduled<Void>?
  /// The number of requests of which the head was read.
  private var requests = 0
  /// The number of requests that were read to the end.
  private var completeRequests = 0
  /// The number of responses that were written to the end.
  private var responses = 0
  /// The number of the request after which the connection is closed; nil if it is kept open.
  private var lastRequest: Int?
  /// True once further input is dropped.
  private var isShut = false
  /// True between the head and the end of a response.
  private var isAnswering = false
  /// True if the channel asked for input and none was read since.
  private var wantsRead = false
  private var turns: ReadTurns?
  /// True while the connection waits for its turn.
  private var awaitsTurn = false
  private var isRemoved = false

  init(_ settings: Settings) { self.settings = settings }

  func handlerAdded(context: ChannelHandlerContext) {
    peer = context.channel.remoteAddress.flatMap { IPAddress($0) }
    isProxy = peer.map { settings.proxies.contains($0) } ?? false
    turns = settings.turns[ObjectIdentifier(context.eventLoop)]
    if context.channel.isActive { awaitRequest(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    // NB: Not before: a channel that is not active yet drops the answer.
    awaitRequest(context)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    cancelTimers()
    isRemoved = true
    if wantsRead { context.read() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancelTimers()
    context.fireChannelInactive()
  }

  // MARK: Timers

  private func awaitRequest(_ context: ChannelHandlerContext) {
    requestTimer?.cancel()
    requestTimer = context.eventLoop.assumeIsolated().scheduleTask(in: settings.limits.requestTime) {
      self.sendAway(
        AccessPolicy.Refusal(
          status: .requestTimeout, reason: .request, text: "the request was not complete in time: send it without delay"
        ), context)
    }
  }

  /// Closes the channel if the client does not close the connection within `closeTime`.
  private func awaitClose(_ context: ChannelHandlerContext) {
    cancelTimers()
    let channel = context.channel
    closeTimer = context.eventLoop.scheduleTask(in: settings.limits.closeTime) { channel.close(promise: nil) }
  }

  private func cancelTimers() {
    for timer in [requestTimer, idleTimer, closeTimer] { timer?.cancel() }
  }

  /// Marks the connection as idle if no request is in progress.
  private func becomeIdle(_ context: ChannelHandlerContext) {
    guard !isShut, responses == requests, completeRequests == requests, context.channel.isActive else { return }
    settings.connections.setIdle(context.channel, true)
    // The next request on a proxy's connection may be another client's, so an idle one counts for no client.
    if isProxy { _ = settings.connections.setNetwork(context.channel, nil) }
    let limits = settings.limits
    scheduleIdleCheck(in: min(limits.crowdedIdleTime, limits.idleTime), since: context.eventLoop.now, context)
  }

  private func scheduleIdleCheck(in time: TimeAmount, since start: NIODeadline, _ context: ChannelHandlerContext) {
    idleTimer?.cancel()
    idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      let limits = self.settings.limits
      let longest =
        self.settings.connections.isCrowded ? min(limits.crowdedIdleTime, limits.idleTime) : limits.idleTime
      let left = longest - (context.eventLoop.now - start)
      // While output is pending, the client is reading, or `WriteTimeoutHandler` closes the connection.
      if left <= .zero, context.channel.pendingBytes == 0 { return context.close(promise: nil) }
      self.scheduleIdleCheck(
        in: left > .zero ? min(limits.crowdedIdleTime, left) : limits.crowdedIdleTime, since: start, context)
    }
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isShut { return }
    switch unwrapInboundIn(data) {
    case .head(var head):
      idleTimer?.cancel()
      let wantsSocket =
        requests == 0 && settings.admission != nil
        && head.uri.prefix(while: { $0 != "?" }) == AccessPolicy.socketPath
      if requests > 0 { awaitRequest(context) }
      requests += 1
      settings.connections.setIdle(context.channel, false)
      guard requests - responses <= Self.maxPipelined else {
        settings.metrics.refused(.request)
        return context.close(promise: nil)
      }
      let network = peer.map { settings.proxies.client(of: head.headers, from: $0).network } ?? ""
      head.headers.replaceOrAdd(name: ClientNetwork.header, value: network)
      if isProxy, !settings.connections.setNetwork(context.channel, network) {
        return sendAway(.connections(settings.limits), context)
      }
      head.headers.remove(name: AccessPolicy.loginSessionHeader)
      if wantsSocket, let admission = settings.admission {
        do throws(AccessPolicy.Refusal) {
          if let session = try admission.admit(head) {
            head.headers.add(name: AccessPolicy.loginSessionHeader, value: session)
          }
        } catch { return sendAway(error, context) }
      }
      if !wantsSocket { head.headers.remove(name: "upgrade") }
      if !head.isKeepAlive { lastRequest = requests }
      head.preferGzip()
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body: context.fireChannelRead(data)
    case .end:
      requestTimer?.cancel()
      completeRequests += 1
      if lastRequest == completeRequests { isShut = true }
      becomeIdle(context)
      context.fireChannelRead(data)
    }
  }

  /// Defers reading while a response is outstanding, or while the client does not read the last one.
  func read(context: ChannelHandlerContext) {
    wantsRead = true
    readIfAllowed(context)
  }

  private func readIfAllowed(_ context: ChannelHandlerContext) {
    // NB: A connection that is shut goes on reading and drops the input: closing a socket with unread input resets the
    // connection, and the client may lose the response.
    guard mayRead(context), !awaitsTurn else { return }
    guard let turns else { return readNow(context) }
    awaitsTurn = true
    turns.whenDue {
      self.awaitsTurn = false
      if !self.isRemoved, self.mayRead(context) { self.readNow(context) }
    }
  }

  private func mayRead(_ context: ChannelHandlerContext) -> Bool {
    wantsRead && (isShut || completeRequests <= responses && context.channel.isWritable)
  }

  private func readNow(_ context: ChannelHandlerContext) {
    wantsRead = false
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    readIfAllowed(context)
    context.fireChannelWritabilityChanged()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      isAnswering = true
      if head.headers[canonicalForm: "connection"].contains("close") { lastRequest = responses + 1 }
    case .body: break
    case .end:
      isAnswering = false
      responses += 1
      if lastRequest == responses {
        isShut = true
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.awaitClose(context) }
        context.write(data, promise: written)
        return readIfAllowed(context)
      }
      becomeIdle(context)
      context.write(data, promise: promise)
      return readIfAllowed(context)
    }
    context.write(data, promise: promise)
  }

  /// Answers a parser error with 400.
  ///
  /// NB: Do not forward it: the HTTP compressor counts requests and must not see a response without one.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError else { return context.fireErrorCaught(error) }
    sendAway(
      AccessPolicy.Refusal(status: .badRequest, reason: .request, text: "this is not HTTP: send an HTTP/1.1 request"),
      context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      if completeRequests == 0 { return context.close(promise: nil) }
      awaitClose(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func sendAway(_ refusal: AccessPolicy.Refusal, _ context: ChannelHandlerContext) {
    if isShut { return }
    isShut = true
    settings.metrics.refused(refusal.reason)
    let channel = context.channel
    if isAnswering { return context.close(promise: nil) }
    let text = ByteBuffer(string: refusal.text + "\n")
    var headers = HTTPHeaders(refusal.headers)
    headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
    headers.add(name: "Content-Length", value: "\(text.readableBytes)")
    if !headers.contains(name: "Connection") { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(text))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    // The client may not read the response, or may still be in the TLS handshake.
    awaitClose(context)
  }
}

extension HTTPRequestHead {
  /// Restricts `Accept-Encoding` to gzip if the client accepts gzip: clients disagree on the format of deflate.
  ///
  /// NB: The compressor would add a body to the response to HEAD. A long response that it compresses has no length, and
  /// the chunks that replace it are not part of HTTP/1.0.
  fileprivate mutating func preferGzip() {
    if method == .HEAD || version == .http1_0 {
      headers.remove(name: "accept-encoding")
    } else if headers[canonicalForm: "accept-encoding"].contains("gzip") {
      headers.replaceOrAdd(name: "accept-encoding", value: "gzip")
    }
  }
}
