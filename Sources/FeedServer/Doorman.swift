import NIOCore
import NIOHTTP1

/// Stands before the upgrade: waits for the first request, so long and no longer, and sends away whoever may not have the
/// socket or does not speak HTTP. For as long as the connection speaks HTTP it bounds how long that may take to end.
///
/// NB: NIO's upgrade handler forgets the head of a request that it does not upgrade, so only requests that it will are
/// shown to it as such.
final class Doorman: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let admission: Admission
  private var timer: Scheduled<Void>?
  private var isFirst = true
  /// Nothing more is let in.
  private var isShut = false
  /// Between a response's head and its end.
  private var isAnswering = false

  init(admission: Admission) { self.admission = admission }

  func handlerAdded(context: ChannelHandlerContext) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: admission.limits.requestTime) {
      self.sendAway(
        Admission.Refusal(
          status: .requestTimeout, reason: .request, text: "no whole request came in time: send it at once"), context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isShut { return }
    switch unwrapInboundIn(data) {
    case .head(var head):
      let wantsSocket = isFirst && head.path == Admission.socketPath
      if wantsSocket, let refusal = admission.refusal(of: head) { return sendAway(refusal, context) }
      if !wantsSocket { head.headers.remove(name: "upgrade") }
      head.preferGzip()
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body: context.fireChannelRead(data)
    case .end:
      timer?.cancel()
      timer = nil
      isFirst = false
      context.fireChannelRead(data)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head: isAnswering = true
    case .body: break
    case .end: isAnswering = false
    }
    context.write(data, promise: promise)
  }

  /// NB: a parser's error goes no further: the compressor counts requests, and must see no response without one.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError else { return context.fireErrorCaught(error) }
    sendAway(
      Admission.Refusal(status: .badRequest, reason: .request, text: "this is no HTTP: send a request of HTTP/1.1"),
      context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      if isFirst { return context.close(promise: nil) }
      let channel = context.channel
      timer = context.eventLoop.scheduleTask(in: admission.limits.closeTime) { channel.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func sendAway(_ refusal: Admission.Refusal, _ context: ChannelHandlerContext) {
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
    // Whoever does not take the answer, or is in the middle of TLS, is not waited for.
    timer?.cancel()
    timer = context.eventLoop.scheduleTask(in: admission.limits.closeTime) { channel.close(promise: nil) }
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
