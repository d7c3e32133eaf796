import NIOCore
import NIOSSL
import OddsFeed
import OddsModel
import Platform
import TestSupport

@testable import Betfair

/// A client of the stream: the session and the decoder with a socket, and nothing else.
struct StreamDriver {
  private(set) var session: MarketStreamSession
  private(set) var decoder = BetfairDecoder()
  private(set) var batch = FeedBatch()
  private(set) var lines: [String] = []
  /// For each accepted subscription, true if it continues an earlier one.
  private(set) var continuations: [Bool] = []
  /// The time of the session. It passes only while a run detects silence, so that no other run depends on the speed of
  /// the machine.
  private var now = Duration.zero

  init(key: String = "KEY", _ change: (inout MarketSubscription) -> Void = { _ in }) {
    var subscription = MarketSubscription()
    change(&subscription)
    session = MarketStreamSession(appKey: key, subscription: subscription)
  }

  /// Connects. With `isSlow`, the kernel buffers as little unread data as possible.
  mutating func connect(
    to exchange: FakeBetfair, token: String, tls: NIOSSLContext? = nil, isSlow: Bool = false
  ) async throws -> RawClient {
    session.disconnected()
    lines = []
    let client = try await RawClient(to: exchange.streamPort, reads: !isSlow, FakeCertificates.handler(tls))
    if isSlow { try await client.beginReading() }
    session.connected(token: token, at: now)
    return client
  }

  /// Reads until a condition is true or the connection ends. Returns the failure that ended it.
  ///
  /// - Parameter detectsSilence: True to end the connection if the exchange is silent for too long.
  mutating func run(
    on client: RawClient, detectsSilence: Bool = false, until isDone: (inout StreamDriver) -> Bool = { _ in false }
  ) async -> MarketStreamSession.Failure? {
    let channel = client.channel
    let start = ContinuousClock.now - now
    let isLate = Locked(false)
    while !isDone(&self), let deadline = session.nextDeadline {
      let alarm =
        detectsSilence
        ? channel.eventLoop.scheduleTask(in: TimeAmount(max(.zero, deadline - now))) {
          isLate.withLock { $0 = true }
          channel.close(promise: nil)
        } : nil
      let line = await client.read(through: "\r\n")
      alarm?.cancel()
      if detectsSilence { now = ContinuousClock.now - start }
      let actions =
        line.map { line in Array(line.dropLast().utf8).withUnsafeBufferPointer { session.receive($0, at: now) } }
        ?? session.checkSilence(at: isLate.withLock(\.self) ? max(now, deadline) : now)
      for action in actions {
        switch action {
        case .send(let bytes): client.send(bytes + Array("\r\n".utf8))
        case .subscribed(let isContinued): continuations.append(isContinued)
        case .decode: decode(line!)
        case .connectionsAvailable, .defined, .imaged, .damaged, .limited: break
        case .close(let failure): return failure
        }
      }
      if line == nil { break }
    }
    return nil
  }

  private mutating func decode(_ line: String) {
    lines.append(line)
    Array(line.utf8).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
  }

  /// The state of all markets, in the format of `FakeBetfair.text`.
  var text: String {
    func hundredths(_ units: Int64) -> String { "\(units / 100_000)" }
    func offers(_ ladder: LevelLadder) -> String {
      ladder.levels.filter { $0.size > 0 }.map { "\(hundredths($0.size))@\(hundredths($0.price))" }
        .joined(separator: " ")
    }
    return decoder.cache.books.sorted { $0.key.text < $1.key.text }.map { book in
      let definition = book.definition ?? MarketDefinition()
      let rows = book.runners.map { runner in
        "\(runner.key.id) \(hundredths(runner.lastTraded ?? 0)) \(hundredths(runner.volume ?? 0))"
          + " [\(offers(runner.displayBack))] [\(offers(runner.displayLay))]"
      }
      return
        (["\(book.key.text) \(definition.status.word) \(definition.isInPlay) \(definition.version ?? 0)"] + rows)
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

extension FakeBetfair {
  /// The state of all markets, with the offers of a subscription of three levels.
  var text: String { orderBooks(levels: 3, hasVolumes: true) }

  /// The state of all markets, with the offers of a subscription of that many levels, with volumes or without.
  func orderBooks(levels: Int, hasVolumes: Bool) -> String {
    let markets = state.withLock { $0.markets }
    return markets.sorted { $0.id < $1.id }.map { $0.text(levels: levels, hasVolumes: hasVolumes) }
      .joined(separator: "\n")
  }
}
