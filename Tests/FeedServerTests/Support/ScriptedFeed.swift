import FeedServer
import FeedSimulator
import Logging
import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

/// A feed that plays the messages of a test when the test ticks.
final class ScriptedFeed: Sendable {
  static let topic = Topic(path: "/test")

  private struct State {
    var dump: String
    var pendingMessages: [[UInt8]] = []
    var isOpen = false
  }

  private let state: Locked<State>

  init(dump: String = FeedText.dump(FeedText.football())) { state = Locked(State(dump: dump)) }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Schedules messages for the next tick, and replaces the dump at once.
  func schedule(_ messages: String..., dump: String? = nil) {
    state.withLock { state in
      state.pendingMessages += messages.map { Array($0.utf8) }
      if let dump { state.dump = dump }
    }
  }

  struct Feed: PlayedFeed {
    let script: ScriptedFeed

    /// Long enough that only the test ticks.
    let interval: UInt64 = 1 << 62

    func open(_ topic: Topic) -> Bool {
      script.state.withLock { $0.isOpen = topic == ScriptedFeed.topic }
      return topic == ScriptedFeed.topic
    }

    func close(_ topic: Topic) { script.state.withLock { $0.isOpen = false } }

    func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? {
      guard topic == ScriptedFeed.topic else { return nil }
      let dump = script.state.withLock { $0.dump }
      return { Array(dump.utf8) }
    }

    func advance(to uptime: UInt64) -> [TopicMessages] {
      let due = script.state.withLock { state in
        defer { state.pendingMessages = [] }
        return state.pendingMessages
      }
      return due.isEmpty ? [] : [TopicMessages(topic: ScriptedFeed.topic, messages: due)]
    }
  }
}

/// A book whose clock advances when the test ticks.
struct ManualBookFeed: PlayedFeed {
  private var book: BookFeed

  /// Its uptime begins at 0.
  init(matches: Int = 20, rate: Double = 100) throws {
    let options = try SimulatorOptions(matches: matches, rate: rate, startTime: 1_750_000_000_000)
    book = BookFeed(options: options, uptime: 0)
  }

  let interval: UInt64 = 1 << 62

  var topicRule: TopicRule { book.topicRule }
  mutating func open(_ topic: Topic) -> Bool { book.open(topic) }
  mutating func close(_ topic: Topic) { book.close(topic) }
  func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? { book.dump(of: topic) }
  mutating func advance(to uptime: UInt64) -> [TopicMessages] { book.advance(to: uptime) }
}

extension PlayedFeed {
  /// Returns the dump of a topic that exists.
  mutating func bytes(of topic: Topic) throws -> [UInt8] {
    let dump = dump(of: topic)
    let make = try #require(dump, "\(topic)")
    return make()
  }
}

/// A logger without output.
let noOpLogger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

extension ServerOptions {
  /// Options for any port, with long timeouts for slow machines. A test of a timeout sets that timeout.
  static var withLongTimeouts: ServerOptions {
    var options = ServerOptions()
    options.port = 0
    let long = TimeAmount.minutes(5)
    options.limits.requestTime = long
    options.limits.helloTime = long
    options.limits.idleTime = long
    options.limits.pingInterval = long
    options.limits.silence = long
    options.limits.crowdedIdleTime = long
    options.limits.writeTime = long
    options.limits.dumpAge = long
    options.limits.catchUpLimit = long
    options.endTime = .seconds(300)
    return options
  }
}

/// Starts a server on any free port, and stops it after the body. All of its metrics must be listed.
func withServer(
  _ feed: any PlayedFeed, _ change: (inout ServerOptions) -> Void = { _ in },
  _ body: (RunningServer) async throws -> Void
) async throws {
  var options = ServerOptions.withLongTimeouts
  change(&options)
  let server = try await RunningServer.start(options, playing: feed, logger: noOpLogger)
  do { try await body(server) } catch {
    await server.stop()
    throw error
  }
  await server.stop()
  let listed = Set(MetricDescription.all.map(\.name))
  #expect(server.metrics.registry.types.keys.allSatisfy { listed.contains($0) })
}

func withServer(
  _ script: ScriptedFeed = ScriptedFeed(), _ change: (inout ServerOptions) -> Void = { _ in },
  _ body: (RunningServer) async throws -> Void
) async throws {
  try await withServer(ScriptedFeed.Feed(script: script), change, body)
}
