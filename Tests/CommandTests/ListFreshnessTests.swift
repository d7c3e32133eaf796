import Dashboard
import EveryMatrix
import FeedSimulator
import Localization
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import toteboard

/// The note of `toteboard list` on prices that are not live.
@Suite(.timeLimit(.minutes(45)))
struct ListFreshnessTests {
  /// A live connection that answers a subscription with a dump, which has waited on its way.
  private struct LateTransport: FeedTransport {
    let delay: Duration
    let heartbeat: Duration? = .seconds(5)
    private let events = AsyncStream.makeStream(of: TransportEvent.self)

    init(delay: Duration) { self.delay = delay }

    func makeDecoder() -> any FeedDecoder { MessageDecoder() }
    func connect() async -> AsyncStream<TransportEvent> { events.stream }
    func disconnect() async { events.continuation.finish() }
    func unsubscribe(_ subscription: Subscription) async {}

    func subscribe(_ subscription: Subscription) async {
      let dump = Array(FeedText.dump(FeedText.football()).utf8)
      let frame = TransportFrame(subscription: subscription, bytes: dump, delay: delay)
      for event in [.state(.live), .topic(subscription, .live), .frame(frame)] as [TransportEvent] {
        events.continuation.yield(event)
      }
    }
  }

  /// A decoder of a provider that states why its prices are not live.
  private struct ImpairedDecoder: FeedDecoder {
    /// The reason; nil if the prices are live.
    let cause: Freshness.Cause?
    private var messages = MessageDecoder()

    init(cause: Freshness.Cause?) { self.cause = cause }

    mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into batch: inout FeedBatch) {
      messages.decode(bytes, range, into: &batch)
      let source: SourceState = cause.map { .impaired($0) } ?? .live
      batch.messages[batch.messages.count - 1].source = source
    }
  }

  /// A file with one dump.
  private struct FileTransport: FeedTransport {
    let cause: Freshness.Cause?
    let updatesMayPrecedeDump = false
    private let events = AsyncStream.makeStream(of: TransportEvent.self)

    init(cause: Freshness.Cause?) { self.cause = cause }

    func makeDecoder() -> any FeedDecoder { ImpairedDecoder(cause: cause) }
    func connect() async -> AsyncStream<TransportEvent> { events.stream }
    func disconnect() async { events.continuation.finish() }
    func unsubscribe(_ subscription: Subscription) async {}

    func subscribe(_ subscription: Subscription) async {
      let dump = Array(FeedText.dump(FeedText.football()).utf8)
      let frame = TransportFrame(subscription: subscription, bytes: dump)
      for event in [.state(.live), .frame(frame), .state(.ended)] as [TransportEvent] {
        events.continuation.yield(event)
      }
    }
  }

  @Test(
    "The last prices of a file have a note if the provider says why they are not live",
    arguments: [nil, .sourceStale, .delayedAccess, .updatesMerged, .catalogueStale] as [Freshness.Cause?])
  func file(cause: Freshness.Cause?) async throws {
    let feed = FeedOptions.Feed(
      transport: FileTransport(cause: cause), channels: [BoardChannel(title: "Live", topic: Topic(path: "/test"))],
      channelIndex: 0)
    // NB: Reading blocks its thread.
    let reading = Task.detached(executorPreference: FeedExecutor()) { try List.read(feed, StoreOptions()) }
    let read = try await reading.cancellableValue
    #expect(read.note == cause.map { LocalizedMessage(.notePricesLate, CLILanguage.words($0.name)) })
  }

  @Test(
    "Delayed and locked prices have a note with the grade, and live ones have none",
    arguments: [(0, nil), (7, .statusDelayed), (12, .statusLocked)] as [(Int, MessageKey?)])
  func note(delay: Int, name: MessageKey?) async throws {
    let feed = FeedOptions.Feed(
      transport: LateTransport(delay: .seconds(delay)),
      channels: [BoardChannel(title: "Live", topic: Topic(path: "/test"))], channelIndex: 0,
      simulated: SimulatedConnector(options: try SimulatorOptions(matches: 1, startTime: 0)))
    // NB: Reading blocks its thread.
    let reading = Task.detached(executorPreference: FeedExecutor()) { try List.read(feed, StoreOptions()) }
    let read = try await reading.cancellableValue
    var channel = read.channel
    #expect(read.note == name.map { LocalizedMessage(.notePricesLate, CLILanguage.words($0)) })
    #expect(String(decoding: List.text(of: &channel, .csv), as: UTF8.self).contains("2.45"))
  }
}
