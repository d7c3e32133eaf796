import Locking
import NIOCore
import NIOPosix
import NIOSSL

/// A server on loopback that plays a script with whoever connects, one after the other.
final class PeerServer: Sendable {
  let port: Int
  private let task: Task<Void, Never>
  private let connections = Locked(0)

  /// How many have connected.
  var connectionCount: Int { connections.withLock { $0 } }

  /// Runs `body` with a server that plays `script`, and ends it afterwards.
  static func run<Result>(
    certificate: String? = nil, _ script: @escaping @Sendable (inout Peer) async throws -> Void,
    with body: (PeerServer) async throws -> Result
  ) async throws -> Result {
    let server = try await PeerServer(certificate: certificate, script)
    defer { server.task.cancel() }
    return try await body(server)
  }

  private init(certificate: String?, _ script: @escaping @Sendable (inout Peer) async throws -> Void) async throws {
    let tls = try certificate.map { name in
      try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: NIOSSLCertificate.fromPEMFile(Fixture.path("\(name).pem")).map { .certificate($0) },
          privateKey: .privateKey(NIOSSLPrivateKey(file: Fixture.path("\(name).key"), format: .pem))))
    }
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
          return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    port = listener.channel.localAddress!.port!
    let connections = connections
    task = Task {
      try? await listener.executeThenClose { clients in
        try await withThrowingDiscardingTaskGroup { group in
          for try await client in clients {
            connections.withLock { $0 += 1 }
            group.addTask {
              // NB: a client that leaves in the middle of a script is what some tests are about.
              try? await client.executeThenClose { incoming, outgoing in
                var peer = Peer(client.channel, incoming, outgoing)
                try await script(&peer)
              }
            }
          }
        }
      }
    }
  }
}

/// Files beside the tests.
enum Fixture {
  static func path(_ name: String, beside file: StaticString = #filePath) -> String {
    "\(file)".split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/Fixtures/\(name)"
  }
}
