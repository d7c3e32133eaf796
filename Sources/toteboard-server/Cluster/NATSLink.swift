import FeedFanOut
import FeedServer
import Logging
import Platform

/// A connection to NATS that logs and counts what happens to it.
final class NATSLink: Sendable {
  private struct Counts {
    var reconnects = 0
    var slowConsumer = 0
  }

  private final class Receiver: Sendable {
    let counts = Locked(Counts())
    let logger: Logger
    let failed: AsyncStream<ServerError>.Continuation
    /// True once this process closes the connection.
    let isClosing = Locked(false)

    init(logger: Logger, failed: AsyncStream<ServerError>.Continuation) {
      self.logger = logger
      self.failed = failed
    }

    func receive(_ event: NATSConnection.Event) {
      if isClosing.withLock({ $0 }) { return }
      switch event {
      case .connected: logger.info("connected to NATS")
      case .disconnected: logger.warning("the connection to NATS is lost: trying again")
      case .reconnected:
        counts.withLock { $0.reconnects += 1 }
        logger.notice("connected to NATS again")
      case .slowConsumer: counts.withLock { $0.slowConsumer += 1 }
      case .error(let error): logger.warning("NATS reports an error", metadata: ["error": "\(error)"])
      case .closed:
        failed.yield(ServerError("the NATS servers refused this process twice: check --nats-credentials and --nats"))
      }
    }
  }

  let connection: NATSConnection
  /// The end of the connection, which the library does not open again.
  let failures: AsyncStream<ServerError>
  private let receiver: Receiver

  init(_ options: NATSOptions, logger: Logger) throws {
    let (failures, failed) = AsyncStream.makeStream(of: ServerError.self)
    let receiver = Receiver(logger: logger, failed: failed)
    self.failures = failures
    self.receiver = receiver
    do throws(NATSError) { connection = try NATSConnection(options) { receiver.receive($0) } } catch {
      throw ServerError("\(error)")
    }
    if !connection.isConnected {
      logger.warning("no NATS server can be reached: trying again", metadata: ["servers": "\(options.servers.count)"])
    }
  }

  /// Writes what is buffered and closes the connection.
  func close() {
    receiver.isClosing.withLock { $0 = true }
    receiver.failed.finish()
    connection.close()
  }

  /// Makes the failure of something else one of this connection's, so that one sequence has both.
  func fail(_ error: ServerError) { receiver.failed.yield(error) }

  /// The metrics in the text format of Prometheus.
  var metrics: String {
    let counts = receiver.counts.withLock { $0 }
    let traffic = connection.traffic
    var text = FiguresText()
    text.gauge("nats_connected", "1 while there is a connection to NATS.", connection.isConnected ? 1 : 0)
    text.counter("nats_received_bytes_total", "Bytes of NATS messages received.", Int(clamping: traffic.received))
    text.counter("nats_sent_bytes_total", "Bytes of NATS messages sent.", Int(clamping: traffic.sent))
    text.counter("nats_reconnects_total", "Connections to NATS after the first one.", counts.reconnects)
    text.counter(
      "nats_slow_consumer_total", "Times that NATS began to drop messages, because this process was too slow.",
      counts.slowConsumer)
    return text.text
  }
}
