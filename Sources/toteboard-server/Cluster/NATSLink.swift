import CoreMetrics
import FeedFanOut
import FeedServer
import Logging
import Platform

/// A connection to NATS that logs and counts its events.
final class NATSLink: Sendable {
  private final class Receiver: Sendable {
    /// The addresses of the servers, for messages.
    let servers: String
    let metrics: NATSMetrics
    let logger: Logger
    let failed: AsyncStream<ServerError>.Continuation
    /// True once this process closes the connection.
    let isClosing = Locked(false)

    init(servers: String, metrics: NATSMetrics, logger: Logger, failed: AsyncStream<ServerError>.Continuation) {
      self.servers = servers
      self.metrics = metrics
      self.logger = logger
      self.failed = failed
    }

    func receive(_ event: NATSConnection.Event) {
      if isClosing.withLock({ $0 }) { return }
      switch event {
      case .connected: logger.info("connected to NATS")
      case .disconnected: logger.warning("the connection to NATS is lost: trying again")
      case .reconnected:
        metrics.reconnects.increment()
        logger.notice("connected to NATS again")
      case .slowConsumer: metrics.slowConsumer.increment()
      case .error(let error): logger.warning("NATS reports an error", metadata: ["error": "\(error)"])
      case .closed:
        failed.yield(
          ServerError(
            "the NATS servers '\(servers)' refused this process twice: check --nats-credentials and --nats"))
      }
    }
  }

  let connection: NATSConnection
  /// The end of the connection, which the library does not open again.
  let failures: AsyncStream<ServerError>
  private let receiver: Receiver

  init(_ options: NATSOptions, registry: PrometheusRegistry, logger: Logger) throws {
    let (failures, failed) = AsyncStream.makeStream(of: ServerError.self)
    let receiver = Receiver(
      servers: options.shownServers, metrics: NATSMetrics(registry), logger: logger, failed: failed)
    self.failures = failures
    self.receiver = receiver
    do throws(NATSError) { connection = try NATSConnection(options) { receiver.receive($0) } } catch {
      throw ServerError("\(error)")
    }
    registry.addCollector(of: self) { $0.receiver.metrics.update($0.connection) }
    if !connection.isConnected {
      logger.warning(
        "no NATS server can be reached: check --nats and that the servers run; trying again",
        metadata: ["servers": "\(options.shownServers)"])
    }
  }

  /// Writes the buffered messages and closes the connection.
  func close() {
    receiver.isClosing.withLock { $0 = true }
    receiver.failed.finish()
    connection.close()
  }

  /// Adds another failure of the process to `failures`, so that one sequence has all of them.
  func fail(_ error: ServerError) { receiver.failed.yield(error) }
}
