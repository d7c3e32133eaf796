import NIOCore
import NIOHTTP1

/// Admits requests before the WebSocket upgrade. Refuses requests that are not complete within `requestTime`, WebSocket
/// requests that `AccessPolicy` rejects, and input that is not HTTP. On a connection that stays with HTTP, also limits
/// the time that closing takes to `closeTime`.
///
/// NB: NIO's upgrade handler drops the head of a request that it does not upgrade. It is therefore only shown the
/// `Upgrade` header of a request that it will upgrade.
final class HTTPAdmissionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let admission: AccessPolicy
  /// The deadline for a complete request.
  private var requestTimer: Scheduled<Void>?
  /// The deadline for the connection to close, whichever side closes it.
  private var closeTimer: Scheduled<Void>?
  private var isFirst = true
  /// True once further input is dropped.
  private var isShut = false
  /// True between the head and the end of a response.
  private var isAnswering = false
  /// True if the current response has `Connection: close`.
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
          status: .requestTimeout, reason: .request, text: "the request was not complete in time: send it without delay"
        ), context)
    }
  }

  /// Closes the channel if the client does not close the connection within `closeTime`.
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
      let wantsSocket = isFirst && head.uri.prefix(while: { $0 != "?" }) == AccessPolicy.socketPath
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
        // NB: Keep reading and drop the input: closing a socket with unread input resets the connection, and the client
        // may lose the response.
        isShut = true
        awaitClose(context)
      }
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
    // The client may not read the response, or may still be in the TLS handshake.
    awaitClose(context)
  }
}

extension HTTPRequestHead {
  /// Restricts `Accept-Encoding` to gzip if the client accepts gzip: clients disagree on the format of deflate.
  fileprivate mutating func preferGzip() {
    if headers[canonicalForm: "accept-encoding"].contains("gzip") {
      headers.replaceOrAdd(name: "accept-encoding", value: "gzip")
    }
  }
}
