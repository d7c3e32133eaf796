import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A service that listens at one address and publishes the address that it is bound to.
struct ListeningService: Service, CustomStringConvertible {
  struct Address: Sendable {
    let host: String
    let port: Int

    /// The address as in a URL, with an IPv6 host in brackets.
    var text: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
  }

  private let asked: Address
  private let application: any Service
  private let addresses: AsyncStream<Address>
  private let bound: AsyncStream<Address>.Continuation

  /// Creates a service that answers with a router.
  init<Context: RequestContext>(
    _ router: Router<Context>, host: String, port: Int, server: HTTPServerBuilder, maxConnections: Int,
    group: any EventLoopGroup, logger: Logger
  ) where Context.Source == ApplicationRequestContextSource {
    let asked = Address(host: host, port: port)
    let (addresses, bound) = AsyncStream.makeStream(of: Address.self)
    self.asked = asked
    self.addresses = addresses
    self.bound = bound
    application = Application(
      router: router, server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(maxConnections, logger: logger)),
      onServerRunning: { channel in
        try? await channel.eventLoop.submit {
          try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(logger: logger), position: .first)
        }.get()
        let address = channel.localAddress
        bound.yield(Address(host: address?.ipAddress ?? asked.host, port: address?.port ?? asked.port))
      }, eventLoopGroupProvider: .shared(group), logger: logger)
  }

  /// Runs the service until it is shut down. Throws a `ServerError` if it cannot listen.
  func run() async throws {
    defer { bound.finish() }
    do { try await application.run() } catch is CancellationError { throw CancellationError() } catch {
      throw ServerError(listening: asked.text, error)
    }
  }

  /// The bound address, available once clients can connect; nil if the service ended before. Read it once only.
  var address: Address? { get async { await addresses.first { _ in true } } }

  /// Ends the wait for `address`, because the service will not run.
  func giveUp() { bound.finish() }

  /// The name of the service in the log.
  var description: String { "listening on \(asked.text)" }
}

/// The reason for which a server cannot start or go on, with a message for the operator.
package struct ServerError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  fileprivate init(listening address: String, _ error: any Error) {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      self.init("cannot listen on '\(address)': the port is in use; choose another, or 0 for any free one")
    case EACCES: self.init("cannot listen on '\(address)': permission denied; choose a port above 1023")
    case EADDRNOTAVAIL:
      self.init("cannot listen on '\(address)': this machine has no such address; use 127.0.0.1, or 0.0.0.0 for all")
    default: self.init("cannot listen on '\(address)': \(error); use another address")
    }
  }
}
