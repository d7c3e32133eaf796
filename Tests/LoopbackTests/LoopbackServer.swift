import Dispatch
import EveryMatrix
import FeedServer
import FeedSimulator
import Logging
import NIOCore
import OddsFeed
import OddsModel
import Platform
import TestSupport

/// A server on loopback whose feed can be frozen, and that can be restarted on the same port.
final class LoopbackServer: Sendable {
  private struct State {
    var running: RunningServer?
    var seed: UInt64
  }

  private let state: Locked<State>
  private let reserved = ReservedPort()
  private let isFrozen = Locked(false)
  private let matches: Int
  private let rate: Double
  private let startTime: Int64?
  private let logger: Logger

  /// `startTime` is the start time of the book, in milliseconds since 1970; the default is now.
  init(seed: UInt64 = 1, matches: Int = 40, rate: Double = 100, startTime: Int64? = nil) {
    state = Locked(State(seed: seed))
    self.matches = matches
    self.rate = rate
    self.startTime = startTime
    var logger = Logger(label: "loopback")
    logger.logLevel = .critical
    self.logger = logger
  }

  var port: Int { reserved.number }
  var url: String { "ws://127.0.0.1:\(port)/v2" }
  var accounts: AccountHub? { state.withLock { $0.running?.accounts } }
  /// The number of clients that were refused or disconnected.
  var refusals: Double {
    let metrics = state.withLock { $0.running?.metrics }
    return PrometheusSample.total(of: "toteboard_refused_total", in: metrics?.registry.text ?? "")
  }

  /// Starts the server, each time on the same port with another book. `change` sets further options.
  func start(_ change: (inout ServerOptions) -> Void = { _ in }) async throws {
    var options = ServerOptions()
    options.port = port
    let seed = state.withLock { state in
      state.seed += 1
      return state.seed
    }
    change(&options)
    let book = BookFeed(
      options: try SimulatorOptions(
        matches: matches, seed: seed, rate: rate, startTime: startTime ?? Self.now.wall), uptime: Self.now.uptime)
    let running = try await RunningServer.start(
      options, playing: FreezableFeed(book: book, isFrozen: isFrozen), logger: logger)
    state.withLock { $0.running = running }
  }

  /// Disconnects all clients and closes the port.
  func stop() async { await state.withLock { $0.running.take() }?.stop() }

  /// Freezes the feed: from now on nothing changes.
  func freeze() { isFrozen.withLock { $0 = true } }

  /// Returns the matches of a topic in the server's current state.
  func matches(of topic: Topic) async throws -> [Match] {
    guard let source = state.withLock({ $0.running })?.hub.source else { return [] }
    let dump: TopicDump? = try await completionValue { completion in
      source.resolve(topic) { resolved in
        guard case .success(let topic) = resolved else { return completion(nil) }
        source.dump(of: topic, known: nil, isForList: false) { completion(try? $0.get()) }
      }
    }
    return dump.map { matchesOf(dump: Array($0.payload.readableBytesView)) } ?? []
  }

  private static var now: (wall: Int64, uptime: UInt64) {
    (ClientClock.wallTime(), DispatchTime.now().uptimeNanoseconds)
  }
}

/// Returns the matches of a dump, in the order of their ids.
func matchesOf(dump: [UInt8]) -> [Match] {
  var (decoder, batch, channel) = (MessageDecoder(), FeedBatch(), ChannelState())
  dump.withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
  channel.apply(batch)
  return channel.matchIDs.sorted().compactMap { channel.match($0) }
}

/// A book that is played until it is frozen.
private struct FreezableFeed: PlayedFeed {
  var book: BookFeed
  let isFrozen: Locked<Bool>

  var interval: UInt64 { book.interval }
  var topicRule: TopicRule { book.topicRule }
  mutating func open(_ topic: Topic) -> Bool { book.open(topic) }
  mutating func close(_ topic: Topic) { book.close(topic) }
  func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? { book.dump(of: topic) }
  mutating func advance(to uptime: UInt64) -> [TopicMessages] {
    isFrozen.withLock { $0 } ? [] : book.advance(to: uptime)
  }
}
