import CLibrary
import Logging
import NIOCore
import NIOPosix
import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite("Out of file descriptors", .timeLimit(.minutes(45)))
struct AcceptPauseTests {
  @Test("the server stops accepting, logs one line, and resumes", arguments: [EMFILE, ENFILE])
  func pause(code: CInt) async throws {
    let lines = Locked(0)
    let logger = Logger(label: "test") { _ in LineCounter(lines: lines) }
    let (accepted, acceptance) = AsyncStream.makeStream(of: Void.self)
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(logger: logger))
        }
      }
      .childChannelInitializer { channel in
        acceptance.yield()
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let accepts = try await server.eventLoop.submit {
      for _ in 0..<3 {
        server.pipeline.syncOperations.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
      }
      return try server.syncOptions?.getOption(.autoRead)
    }.get()
    #expect(accepts == false)
    #expect(lines.withLock { $0 } == 1)
    let client = try await RawClient(to: try #require(server.localAddress?.port))
    for await _ in accepted { break }
    withExtendedLifetime(client) {}
    try await server.close().get()
  }
}

/// Counts the lines of a log.
private struct LineCounter: LogHandler {
  let lines: Locked<Int>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0 += 1 } }
}
