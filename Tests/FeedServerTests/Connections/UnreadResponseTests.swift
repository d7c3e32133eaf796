import EveryMatrix
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

@Suite("Unread responses", .timeLimit(.minutes(45)))
struct UnreadResponseTests {
  @Test("a client that reads none of its pipelined responses is disconnected")
  func unread() async throws {
    let path = "/api/odds?topic=\(Topic.aggregator(.popular, matches: 10).path)"
    try await withServer(
      try ManualBookFeed(),
      {
        ($0.limits.socketBuffer, $0.limits.pendingBytes) = (4096, 4096)
        $0.limits.writeTime = .milliseconds(60)
      }
    ) { server in
      let client = try await RawClient(to: server.port, reads: false)
      for _ in 0..<50 { client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
      try await client.waitForEnd()
      #expect(server.metrics.registry.text.contains(#"refused_total{reason="silence"} 1"#))
    }
  }

  @Test("no request is read while a response is outstanding or the channel is not writable")
  func backPressure() throws {
    let reads = ReadCounter()
    let channel = try Self.channel([reads])
    channel.read()
    #expect(reads.count == 1)
    try Self.request(channel)
    channel.read()
    #expect(reads.count == 1)
    channel.isWritable = false
    try Self.answer(channel)
    #expect(reads.count == 1)
    channel.isWritable = true
    channel.pipeline.fireChannelWritabilityChanged()
    #expect(reads.count == 2)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test("the body of a request is read, and a deferred read is resumed when the handler is removed")
  func body() throws {
    let reads = ReadCounter()
    let channel = try Self.channel([reads])
    try channel.writeInbound(HTTPServerRequestPart.head(Self.head))
    channel.read()
    #expect(reads.count == 1)
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
    channel.read()
    #expect(reads.count == 1)
    _ = channel.pipeline.syncOperations.removeHandler(
      try channel.pipeline.syncOperations.handler(type: HTTPAdmissionHandler.self))
    #expect(reads.count == 2)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test("a client with too many requests in one read is disconnected")
  func tooMany() throws {
    let channel = try Self.channel([])
    for _ in 0..<256 { try Self.request(channel) }
    #expect(channel.isActive)
    try? Self.request(channel)
    #expect(!channel.isActive)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  // MARK: Helpers

  private static let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/healthz")

  private static func channel(_ handlers: [any ChannelHandler]) throws -> EmbeddedChannel {
    let settings = HTTPAdmissionHandler.Settings(
      limits: ServerLimits(), metrics: ServerMetrics(),
      connections: ConnectionTable(limit: 100, limitPerNetwork: 100))
    let channel = EmbeddedChannel(handlers: handlers + [HTTPAdmissionHandler(settings)])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  private static func request(_ channel: EmbeddedChannel) throws {
    try channel.writeInbound(HTTPServerRequestPart.head(head))
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
  }

  private static func answer(_ channel: EmbeddedChannel) throws {
    try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
    try channel.writeOutbound(HTTPServerResponsePart.end(nil))
  }
}

/// Counts the reads that reach the channel.
private final class ReadCounter: ChannelOutboundHandler {
  typealias OutboundIn = Any

  private(set) var count = 0

  func read(context: ChannelHandlerContext) {
    count += 1
    context.read()
  }
}
