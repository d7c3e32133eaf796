import NIOCore
import NIOEmbedded
import Testing

@testable import FeedServer

@Suite("A silent client")
struct SilenceTests {
  private let metrics = ServerMetrics()
  private let limits = ServerLimits()

  private func session() throws -> MemorySession {
    let source = PlayedSource(playing: ScriptedFeed.Feed(script: ScriptedFeed()))
    return try MemorySession(FeedHub(source: source, limits: limits, loops: [], metrics: metrics), metrics: metrics)
  }

  @Test("stays connected as long as it answers pings")
  func answers() throws {
    let session = try session()
    for _ in 0..<100 {
      session.loop.advanceTime(by: limits.pingInterval)
      #expect(try session.receive() == [0x89, 0])
      try session.send(0x8A)
    }
    #expect(session.channel.isActive)
    #expect(metrics.total("refused_total") == 0)
    try session.finish()
  }

  @Test("gets one pong for all pings that it sent while its socket was not writable, once it is writable")
  func keptPong() throws {
    let session = try session()
    session.setWritable(false)
    try session.send(0x89, [1])
    try session.send(0x89, [2])
    #expect(try session.receive() == nil)
    session.setWritable(true)
    #expect(try session.receive() == [0x8A, 1, 2])
    session.setWritable(false)
    session.setWritable(true)
    #expect(try session.receive() == nil)
    try session.finish()
  }

  @Test("is disconnected when the time limit for silence is reached, and not before")
  func silence() throws {
    let session = try session()
    session.loop.advanceTime(by: limits.silence - .nanoseconds(1))
    #expect(session.channel.isActive)
    session.loop.advanceTime(by: .nanoseconds(1))
    #expect(!session.channel.isActive)
    #expect(metrics.registry.text.contains(#"refused_total{reason="silence"} 1"#))
    try session.finish()
  }
}
