import CLibrary
import NIOCore

/// Closes the connection of a client that does not read: one that accepts less than 4 KiB of the pending output, or
/// less than all of it if that is less, within `writeTime`.
///
/// Must be the first handler of the pipeline, because it compares the bytes that it passes on with those that the
/// channel has not sent.
final class WriteTimeoutHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private static let minimum = 1 << 12
  /// The number of checks within `writeTime`.
  private static let checks: Int64 = 4

  private let time: TimeAmount
  private let metrics: ServerMetrics
  /// The number of bytes passed on so far.
  private var written = 0
  /// The number of bytes sent at the last progress.
  private var sentAtProgress = 0
  private var lastProgress = NIODeadline.distantPast
  private var timer: Scheduled<Void>?

  init(time: TimeAmount, metrics: ServerMetrics) {
    self.time = time
    self.metrics = metrics
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    written += unwrapOutboundIn(data).readableBytes
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    guard timer == nil else { return }
    let pending = context.channel.pendingBytes
    guard pending > 0 else { return }
    sentAtProgress = written - pending
    lastProgress = context.eventLoop.now
    schedule(context)
  }

  private func schedule(_ context: ChannelHandlerContext) {
    let interval = TimeAmount.nanoseconds(time.nanoseconds / Self.checks)
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: interval) { self.check(context) }
  }

  private func check(_ context: ChannelHandlerContext) {
    timer = nil
    let pending = context.channel.pendingBytes
    guard pending > 0 else { return }
    let sent = written - pending
    if sent - sentAtProgress >= Self.minimum {
      sentAtProgress = sent
      lastProgress = context.eventLoop.now
    } else if context.eventLoop.now - lastProgress >= time {
      metrics.refused(.silence)
      // Without lingering, the kernel drops the pending bytes at once.
      _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      return context.close(promise: nil)
    }
    schedule(context)
  }
}

extension Channel {
  /// The number of bytes that were written to the channel and not sent yet. Call on the event loop only.
  var pendingBytes: Int { (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }
}
