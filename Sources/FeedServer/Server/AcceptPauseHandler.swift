import CLibrary
import Logging
import NIOCore

/// Pauses accepting for a second while the process or the system is out of file descriptors or memory for sockets.
///
/// NB: NIO's `AcceptBackoffHandler` is not enough. After an error, the server's socket stays registered for reading,
/// and the connection that cannot be accepted wakes the event loop again at once.
final class AcceptPauseHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let pause = TimeAmount.seconds(1)
  /// The minimum time between two lines in the log.
  private static let logInterval = TimeAmount.minutes(1)

  private let logger: Logger
  private var lastLogged: NIODeadline?
  private var timer: Scheduled<Void>?

  init(logger: Logger) { self.logger = logger }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
      pause(context, error)
    }
    context.fireErrorCaught(error)
  }

  private func pause(_ context: ChannelHandlerContext, _ error: IOError) {
    guard let options = context.channel.syncOptions, timer == nil else { return }
    let now = context.eventLoop.now
    if lastLogged.map({ now - $0 >= Self.logInterval }) ?? true {
      lastLogged = now
      logger.warning(
        "cannot accept connections: raise the limit of open files, or lower --max-sessions",
        metadata: ["error": "\(error)"])
    }
    try? options.setOption(.autoRead, value: false)
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      self.timer = nil
      try? options.setOption(.autoRead, value: true)
    }
  }
}
