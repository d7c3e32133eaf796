import EveryMatrix
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import FeedServer

/// A session on a channel in memory, whose time passes when the test says so.
@Suite("A silent client")
struct SilenceTests {
  private let metrics = ServerMetrics()
  private let loop = EmbeddedEventLoop()
  private let limits = ServerLimits()

  private func session() throws -> EmbeddedChannel {
    let hub = FeedHub(
      source: PlayedSource(playing: Script.Feed(script: Script())), limits: limits, loops: [], metrics: metrics)
    let dependencies = SocketSession.Dependencies(
      hub: hub, loop: SessionLoop(eventLoop: loop), limits: limits, realm: nil, metrics: metrics)
    let decoder = ByteToMessageHandler(ClientFrameDecoder(limit: limits.frameSize))
    let session = SocketSession(id: 1, address: "127.0.0.1", dependencies: dependencies, logger: silent)
    let channel = EmbeddedChannel(handlers: [decoder, session], loop: loop)
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try say(0x81, WAMPMessage.hello(realm: "any").text, to: channel)
    #expect(try heard(channel)?.first == 0x81)
    return channel
  }

  private func say(_ first: UInt8, _ bytes: [UInt8] = [], to channel: EmbeddedChannel) throws {
    try channel.writeInbound(ByteBuffer(bytes: SocketClient.frame(first, bytes)))
  }

  private func heard(_ channel: EmbeddedChannel) throws -> [UInt8]? {
    try channel.readOutbound(as: ByteBuffer.self).map { Array($0.readableBytesView) }
  }

  @Test("lives as long as it answers pings")
  func answers() throws {
    let channel = try session()
    for _ in 0..<100 {
      loop.advanceTime(by: limits.pingInterval)
      #expect(try heard(channel) == [0x89, 0])
      try say(0x8A, to: channel)
    }
    #expect(channel.isActive)
    #expect(metrics.total("refused_total") == 0)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test("is dropped when it has given no sign of life for long enough, and not before")
  func silence() throws {
    let channel = try session()
    loop.advanceTime(by: limits.silence - .nanoseconds(1))
    #expect(channel.isActive)
    loop.advanceTime(by: .nanoseconds(1))
    #expect(!channel.isActive)
    #expect(metrics.registry.text.contains(#"refused_total{reason="silence"} 1"#))
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}
