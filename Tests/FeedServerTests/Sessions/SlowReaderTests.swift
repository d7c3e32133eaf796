import EveryMatrix
import NIOCore
import NIOPosix
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

@Suite("A client that reads a long dump slowly", .timeLimit(.minutes(45)))
struct SlowReaderTests {
  private let dump = #"{"messageType":"INITIAL_DUMP","text":""# + String(repeating: "x", count: 4 << 20) + #""}"#
  private let metrics = ServerMetrics()
  private let hub: FeedHub

  init() {
    var limits = ServerLimits()
    // The tests run the checks. A client without progress since the last check is disconnected.
    limits.pingInterval = .hours(1)
    limits.helloTime = .hours(1)
    limits.blockedTime = .hours(1)
    limits.silence = .nanoseconds(1)
    limits.progressBytes = 1
    let source = PlayedSource(playing: ScriptedFeed.Feed(script: ScriptedFeed(dump: dump)))
    hub = FeedHub(source: source, limits: limits, loops: [], metrics: metrics)
  }

  /// A client that has requested the dump, and its session, whose socket accepts no more data.
  private struct Connection {
    let client: SocketClient
    let session: NIOLoopBound<SocketSession>
    let channel: any Channel

    /// True while the session is open and its socket is not writable.
    var isBlocked: Bool {
      get async throws {
        try await channel.eventLoop.submit { [channel] in channel.isActive && !channel.isWritable }.get()
      }
    }

    /// Runs a check if fewer bytes than `pending` are waiting. Returns the number of waiting bytes.
    func check(below pending: Int) async throws -> Int {
      try await channel.eventLoop.submit { [channel, session] in
        let now = channel.pendingBytes
        if now < pending, !channel.isWritable { session.value.pingOrDrop(due: .now()) }
        return now
      }.get()
    }
  }

  /// Connects. The client reads nothing.
  private func connect() async throws -> Connection {
    let (sessions, arrivals) = AsyncStream.makeStream(of: (NIOLoopBound<SocketSession>, any Channel).self)
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.socketOption(.so_sndbuf), value: 1 << 16)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { [hub, metrics] channel in
        channel.eventLoop.makeCompletedFuture {
          let dependencies = SocketSession.Dependencies(
            hub: hub, loop: SessionLoop(eventLoop: channel.eventLoop), limits: hub.limits, realm: nil, metrics: metrics)
          let session = SocketSession(id: 1, address: "127.0.0.1", dependencies: dependencies, logger: noOpLogger)
          let decoder = ByteToMessageHandler(ClientFrameDecoder(limit: hub.limits.frameSize))
          try channel.pipeline.syncOperations.addHandlers([decoder, session])
          arrivals.yield((NIOLoopBound(session, eventLoop: channel.eventLoop), channel))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let client = SocketClient(withoutHandshake: try await RawClient(to: server.localAddress!.port!, reads: false))
    // NB: Not the smallest buffer, with which the kernel waits for acknowledgements.
    try await client.raw.channel.setOption(.socketOption(.so_rcvbuf), value: 1 << 16).get()
    var all = sessions.makeAsyncIterator()
    let (session, channel) = try #require(await all.next())
    try await server.close()
    client.send(.hello(realm: "any"))
    client.requestDump(of: ScriptedFeed.topic)
    let connection = Connection(client: client, session: session, channel: channel)
    while !Task.isCancelled, try await !connection.isBlocked { await Task.yield() }
    return connection
  }

  @Test("receives the whole dump, however long that takes, if it reads before each check")
  func reads() async throws {
    let connection = try await connect()
    let client = connection.client
    var checks = 0
    var pending = try await connection.check(below: 0)
    while try await connection.isBlocked {
      try Task.checkCancellation()
      client.raw.channel.read()
      let now = try await connection.check(below: pending)
      if now < pending { checks += 1 }
      pending = now
    }
    #expect(checks > 10)
    try await client.raw.beginReading()
    #expect(await client.text()?.hasPrefix("[2,") == true)
    let result = await client.text()
    #expect(result?.hasPrefix("[50,") == true && result?.hasSuffix("\(dump)]") == true)
    #expect(metrics.total("refused_total") == 0)
  }

  @Test("is disconnected if it reads nothing")
  func deaf() async throws {
    let connection = try await connect()
    // The kernel may still accept some data.
    while try await connection.isBlocked {
      try Task.checkCancellation()
      _ = try await connection.check(below: .max)
    }
    #expect(metrics.registry.text.contains(#"refused_total{reason="silence"} 1"#))
    withExtendedLifetime(connection) {}
  }

  @Test("must read 64 KiB every 15 s, and finish within a minute")
  func limits() {
    let limits = ServerLimits()
    func time(_ second: Int) -> NIODeadline { .uptimeNanoseconds(UInt64(second) * 1_000_000_000) }
    var pending = 1 << 20
    var progress = OutputProgress(now: time(0))
    progress.writabilityChanged(pending: 1 << 10, now: time(0))
    func update(_ pending: Int, _ second: Int) -> Bool {
      progress.update(pending: pending, now: time(second), limits: limits)
    }
    // The dump is written after the text before it.
    #expect(!update(pending, 1))
    #expect(!update(pending - 65_535, 14))
    #expect(!progress.isStuck(now: time(14), limits: limits) && progress.isStuck(now: time(15), limits: limits))
    progress.delay(by: .seconds(3), now: time(14))
    #expect(!progress.isStuck(now: time(17), limits: limits) && progress.isStuck(now: time(18), limits: limits))
    for second in stride(from: 14, through: 62, by: 8) {
      pending -= 1 << 16
      #expect(update(pending, second))
      #expect(!progress.isStuck(now: time(second), limits: limits))
    }
    #expect(!progress.isStuck(now: time(62), limits: limits) && progress.isStuck(now: time(63), limits: limits))
  }
}
