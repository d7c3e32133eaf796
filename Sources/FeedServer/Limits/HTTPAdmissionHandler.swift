import NIOCore
import NIOHTTP1

/// Stands before the upgrade: waits for the first request, and for the rest of each that has begun, so long and no longer, and
/// sends away whoever may not have the socket or does not speak HTTP. For as long as the connection speaks HTTP it bounds how
/// long that may take to end.
///
/// NB: NIO's upgrade handler forgets the head of a request that it does not upgrade, so only requests that it will are
/// shown to it as such.
final class HTTPAdmissionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let admission: AccessPolicy
  /// Runs until a request is whole.
  private var requestTimer: Scheduled<Void>?
  /// Runs until the connection is closed, whoever does that.
  private var closeTimer: Scheduled<Void>?
  private var isFirst = true
  /// Nothing more is let in.
  private var isShut = false
  /// Between a response's head and its end.
  private var isAnswering = false
  /// The response says that the connection ends with it.
  private var isLast = false

  init(admission: AccessPolicy) { self.admission = admission }

  func handlerAdded(context: ChannelHandlerContext) { awaitRequest(context) }

  func handlerRemoved(context: ChannelHandlerContext) { cancelTimers() }

  func channelInactive(context: ChannelHandlerContext) {
    cancelTimers()
    context.fireChannelInactive()
  }

  private func awaitRequest(_ context: ChannelHandlerContext) {
    requestTimer = context.eventLoop.assumeIsolated().scheduleTask(in: admission.limits.requestTime) {
      self.sendAway(
        AccessPolicy.Refusal(
          status: .requestTimeout, reason: .request, text: "no whole request came in time: send it at once"), context)
    }
  }

  /// Whoever does not end the connection in time is not waited for.
  private func awaitClose(_ context: ChannelHandlerContext) {
    cancelTimers()
    let channel = context.channel
    closeTimer = context.eventLoop.scheduleTask(in: admission.limits.closeTime) { channel.close(promise: nil) }
  }

  private func cancelTimers() {
    requestTimer?.cancel()
    closeTimer?.cancel()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isShut { return }
    switch unwrapInboundIn(data) {
    case .head(var head):
      if !isFirst { awaitRequest(context) }
      let wantsSocket = isFirst && head.path == AccessPolicy.socketPath
      if wantsSocket, let refusal = admission.refusal(of: head) { return sendAway(refusal, context) }
      if !wantsSocket { head.headers.remove(name: "upgrade") }
      head.preferGzip()
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body: context.fireChannelRead(data)
    case .end:
      requestTimer?.cancel()
      isFirst = false
      context.fireChannelRead(data)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      isAnswering = true
      isLast = head.headers[canonicalForm: "connection"].contains("close")
    case .body: break
    case .end:
      isAnswering = false
      if isLast {
        // NB: what comes still is read and dropped: a connection that is closed with something unread takes its answer along.
        isShut = true
        awaitClose(context)
      }
    }
    context.write(data, promise: promise)
  }

  /// NB: a parser's error goes no further: the compressor counts requests, and must see no response without one.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError else { return context.fireErrorCaught(error) }
    sendAway(
      AccessPolicy.Refusal(status: .badRequest, reason: .request, text: "this is no HTTP: send a request of HTTP/1.1"),
      context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      if isFirst { return context.close(promise: nil) }
      awaitClose(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func sendAway(_ refusal: AccessPolicy.Refusal, _ context: ChannelHandlerContext) {
    if isShut { return }
    isShut = true
    admission.metrics.refused(refusal.reason)
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
    // Whoever does not take the answer may be in the middle of TLS, too.
    awaitClose(context)
  }
}

extension HTTPRequestHead {
  /// Without the query.
  fileprivate var path: Substring { uri.prefix { $0 != "?" } }

  /// Whoever takes gzip and deflate gets gzip: clients disagree on what deflate is.
  fileprivate mutating func preferGzip() {
    if headers[canonicalForm: "accept-encoding"].contains("gzip") {
      headers.replaceOrAdd(name: "accept-encoding", value: "gzip")
    }
  }
}
