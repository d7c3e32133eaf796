import NIOCore
import NIOPosix

/// A proxy for CONNECT that connects to one port of this machine, whatever host is requested.
enum TunnelServer {
  static func run(to target: Int, _ body: (Int) async throws -> Void) async throws {
    try await PeerServer.run { peer in
      _ = try await peer.request()
      try await peer.send("HTTP/1.1 200 OK\r\n\r\n")
      let feed = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connect(host: "127.0.0.1", port: target) { channel in
          channel.eventLoop.makeCompletedFuture {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
          }
        }
      try await feed.executeThenClose { incoming, outgoing in
        try await peer.forward(incoming, outgoing)
      }
    } with: {
      try await body($0.port)
    }
  }
}

extension Peer {
  /// Forwards bytes both ways until one side ends.
  mutating func forward(
    _ incoming: NIOAsyncChannelInboundStream<ByteBuffer>, _ outgoing: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) async throws {
    let sender = sender
    let back = Task { for try await bytes in incoming { try await sender.write(bytes) } }
    defer { back.cancel() }
    while let bytes = try await next() { try await outgoing.write(bytes) }
  }
}
