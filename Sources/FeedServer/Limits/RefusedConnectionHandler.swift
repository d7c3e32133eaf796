import NIOCore

/// Answers a connection beyond the limit of its address with status 503, whatever the client sends, and closes it.
final class RefusedConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let limits: ServerLimits
  private var closeTimer: Scheduled<Void>?

  init(limits: ServerLimits) { self.limits = limits }

  func channelActive(context: ChannelHandlerContext) {
    let text = AccessPolicy.Refusal.connections(limits).text + "\n"
    let answer = """
      HTTP/1.1 503 Service Unavailable\r
      Connection: close\r
      Retry-After: 5\r
      Content-Type: text/plain; charset=utf-8\r
      Content-Length: \(text.utf8.count)\r
      \r
      \(text)
      """
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    // NB: Keep reading: closing a socket with unread input resets the connection, and the client may lose the answer.
    context.close(mode: .output, promise: nil)
    let channel = context.channel
    closeTimer = context.eventLoop.scheduleTask(in: limits.closeTime) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed || event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func handlerRemoved(context: ChannelHandlerContext) { closeTimer?.cancel() }
}
