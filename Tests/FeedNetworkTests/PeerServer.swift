import NIOCore
import NIOPosix
import NIOSSL
import Platform

/// A server on loopback that plays a script with each client.
final class PeerServer: Sendable {
  typealias Script = @Sendable (inout Peer) async throws -> Void

  let port: Int
  private let listener: any Channel
  private let counts: Counts

  private struct Counts: Sendable {
    let connected = Locked(0)
    let runningScripts = Locked(0)
  }

  /// The number of connections so far.
  var connectionCount: Int { counts.connected.withLock { $0 } }

  /// Runs `body` with a server that plays `script`, and stops the server once every script has ended.
  static func run<Result>(
    certificate: String? = nil, _ script: @escaping Script, with body: (PeerServer) async throws -> Result
  ) async throws -> Result {
    let server = try await PeerServer(certificate: certificate, script)
    do {
      let result = try await body(server)
      await eventually { server.counts.runningScripts.withLock { $0 } == 0 }
      try await server.listener.close()
      return result
    } catch {
      try await server.listener.close()
      throw error
    }
  }

  private init(certificate: String?, _ script: @escaping Script) async throws {
    let tls = try certificate.map { name in
      try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: NIOSSLCertificate.fromPEMFile(Fixture.path("\(name).pem")).map { .certificate($0) },
          privateKey: .privateKey(NIOSSLPrivateKey(file: Fixture.path("\(name).key"), format: .pem))))
    }
    let counts = Counts()
    self.counts = counts
    listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
          let client = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
          counts.connected.withLock { $0 += 1 }
          counts.runningScripts.withLock { $0 += 1 }
          Task { await Self.runScript(script, with: client, counts) }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = listener.localAddress!.port!
  }

  private static func runScript(
    _ script: Script, with client: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ counts: Counts
  ) async {
    // NB: in some tests the client disconnects in the middle of a script.
    try? await client.executeThenClose { incoming, outgoing in
      var peer = Peer(client.channel, incoming, outgoing)
      try await script(&peer)
    }
    counts.runningScripts.withLock { $0 -= 1 }
  }
}

/// The files in the directory of fixtures.
enum Fixture {
  static func path(_ name: String, beside file: StaticString = #filePath) -> String {
    "\(file)".split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/Fixtures/\(name)"
  }
}
