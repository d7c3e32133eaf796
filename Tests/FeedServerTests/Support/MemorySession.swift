import EveryMatrix
import NIOCore
import NIOEmbedded
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

/// A session on a channel in memory, whose clock the test advances.
struct MemorySession {
  let session: SocketSession
  let channel: EmbeddedChannel
  let loop = EmbeddedEventLoop()

  init(_ hub: FeedHub, metrics: ServerMetrics = ServerMetrics()) throws {
    // The hub reads the system clock, which does not reach this time during a test.
    loop.advanceTime(to: .now() + .hours(1))
    let dependencies = SocketSession.Dependencies(
      hub: hub, loop: SessionLoop(eventLoop: loop), limits: hub.limits, realm: nil, metrics: metrics)
    let decoder = ByteToMessageHandler(ClientFrameDecoder(limit: hub.limits.frameSize))
    session = SocketSession(id: 1, address: "127.0.0.1", dependencies: dependencies, logger: noOpLogger)
    channel = EmbeddedChannel(handlers: [decoder, session], loop: loop)
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try send(0x81, WAMPMessage.hello(realm: "any").text)
    #expect(try receive()?.first == 0x81)
  }

  func send(_ first: UInt8, _ bytes: [UInt8] = []) throws {
    try channel.writeInbound(ByteBuffer(bytes: SocketClient.frame(first, bytes)))
  }

  func receive() throws -> [UInt8]? {
    try channel.readOutbound(as: ByteBuffer.self).map { Array($0.readableBytesView) }
  }

  /// Returns all data that was written.
  func receiveAll() throws -> String {
    var all: [UInt8] = []
    while let more = try receive() { all += more }
    return String(decoding: all, as: UTF8.self)
  }

  /// Registers a topic. The source must answer at once.
  func register(_ topic: Topic, request: UInt64 = 1) throws {
    try send(0x81, WAMPMessage.register(request: request, procedure: topic.path).text)
    loop.run()
    #expect(try receiveAll().contains("[65,\(request),"))
  }

  /// Makes the channel writable, or not.
  func setWritable(_ isWritable: Bool) {
    channel.isWritable = isWritable
    channel.pipeline.fireChannelWritabilityChanged()
    loop.run()
  }

  func finish() throws { _ = try channel.finish(acceptAlreadyClosed: true) }
}
