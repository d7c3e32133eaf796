package import NIOCore
import NIOPosix

/// A connection to a server on this machine, byte by byte.
package final class RawClient {
  package let channel: any Channel
  private var arrivals: AsyncStream<ByteBuffer>.Iterator
  private var buffer = ByteBuffer()

  /// Connects. Without reading, incoming bytes stay in a receive buffer of minimal size. The handler is the first of
  /// the pipeline.
  package init(
    to port: Int, reads: Bool = true, _ handler: (@Sendable () throws -> any ChannelHandler)? = nil
  ) async throws {
    let (arrivals, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
    var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let handler { try channel.pipeline.syncOperations.addHandler(handler()) }
          try channel.pipeline.syncOperations.addHandler(InboundBytesHandler(arrivals: continuation))
        }
      }
    if !reads {
      bootstrap = bootstrap.channelOption(.autoRead, value: false)
        .channelOption(.socketOption(.so_rcvbuf), value: 4096)
    }
    channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
    self.arrivals = arrivals.makeAsyncIterator()
  }

  deinit { channel.close(promise: nil) }

  package func send(_ text: String) { send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

  /// Starts reading.
  package func beginReading() async throws {
    try await channel.setOption(.autoRead, value: true).get()
    channel.read()
  }

  /// Returns the next `count` bytes; nil if the connection ends before.
  package func read(_ count: Int) async -> [UInt8]? {
    while buffer.readableBytes < count { guard await receive() else { return nil } }
    return buffer.readBytes(length: count)
  }

  /// Returns the text up to the end of another text; nil if the connection ends before.
  package func read(through end: String) async -> String? {
    while true {
      if let range = buffer.readableBytesView.firstRange(of: Array(end.utf8)) {
        return buffer.readString(length: range.upperBound - buffer.readerIndex)
      }
      guard await receive() else { return nil }
    }
  }

  /// Returns all bytes until the connection ends.
  package func readToEnd() async -> String {
    while await receive() {}
    return buffer.readString(length: buffer.readableBytes) ?? ""
  }

  /// Returns once the connection has ended. Ends it if the task is cancelled.
  package func waitForEnd() async throws {
    try await withTaskCancellationHandler {
      try await channel.closeFuture.get()
    } onCancel: { [channel] in
      channel.close(promise: nil)
    }
  }

  private func receive() async -> Bool {
    guard var more = await arrivals.next() else { return false }
    buffer.discardReadBytes()
    buffer.writeBuffer(&more)
    return true
  }
}

private final class InboundBytesHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let arrivals: AsyncStream<ByteBuffer>.Continuation

  init(arrivals: AsyncStream<ByteBuffer>.Continuation) { self.arrivals = arrivals }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { arrivals.yield(unwrapInboundIn(data)) }
  func channelInactive(context: ChannelHandlerContext) { arrivals.finish() }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
