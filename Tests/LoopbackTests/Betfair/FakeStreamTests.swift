import NIOCore
import NIOSSL
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import Betfair

@Suite("The session of the stream against an exchange over real sockets", .timeLimit(.minutes(15)))
struct FakeStreamTests {
  static func market(_ number: Int) -> FakeMarket {
    FakeMarket(
      "1.\(100 + number)", event: "29\(number)", "Ajax v Porto \(number)",
      runners: [.init(47972, "Ajax"), .init(47973, "Porto"), .init(58805, "The Draw")])
  }

  /// Starts an exchange with markets that have prices. Returns it with the token of a session.
  private func exchange(_ count: Int = 5, isSecure: Bool = false) async throws -> (FakeBetfair, token: String) {
    let exchange = try FakeBetfair((0..<count).map(Self.market), isSecure: isSecure)
    for number in 0..<count {
      exchange.set("1.\(100 + number)", runner: 0, back: [(200, 1000), (198, 2000)], lay: [(204, 500)])
    }
    try await exchange.start()
    return (exchange, exchange.logIn("user"))
  }

  @Test("reads the image in parts, then changes, over TCP and TLS", arguments: [false, true])
  func image(isSecure: Bool) async throws {
    let (exchange, token) = try await exchange(isSecure: isSecure)
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(FakeCertificates.path("ca.pem"))
    let tls = isSecure ? try NIOSSLContext(configuration: configuration) : nil
    var driver = StreamDriver { $0.eventTypes = ["1"] }
    let client = try await driver.connect(to: exchange, token: token, tls: tls)
    #expect(await driver.run(on: client) { $0.text == exchange.text } == nil)
    #expect(driver.lines.count == 3 && driver.lines[0].contains("SEG_START") && driver.lines[2].contains("SEG_END"))
    exchange.set("1.101", runner: 2, back: [(310, 700)], lay: [])
    exchange.trade("1.101", runner: 2, price: 310, size: 250)
    exchange.define("1.101") { $0.isInPlay = true }
    exchange.add(Self.market(9))
    #expect(await driver.run(on: client) { $0.text == exchange.text } == nil)
    let request = exchange.state.withLock { $0.requests.last!.request }
    #expect(request["marketFilter"] == ["eventTypeIds": ["1"]] && request["heartbeatMs"] == 5000)
    #expect(request["marketDataFilter"]["ladderLevels"] == 3)
    #expect(exchange.state.withLock { $0.refused.isEmpty })
    await exchange.stop()
  }

  @Test("continues after the connection was closed at any step", arguments: FakeBetfair.Step.allCases)
  func closing(step: FakeBetfair.Step) async throws {
    let (exchange, token) = try await exchange()
    exchange.state.withLock { $0.faults = [.init(step: step, kind: .close)] }
    var driver = StreamDriver()
    for round in 0..<3 {
      let client = try await driver.connect(to: exchange, token: token)
      let failure = await driver.run(on: client) { round > 0 && $0.text == exchange.text }
      #expect(failure == nil)
      try? await client.channel.close()
      exchange.set("1.100", runner: 0, back: [(220 + round, 1000)], lay: [])
      exchange.trade("1.104", runner: 1, price: 400, size: 100)
    }
    #expect(exchange.state.withLock { $0.faults.isEmpty && $0.refused.isEmpty })
    // Only a subscription whose image was read continues: its changes come as a delta.
    #expect(driver.continuations.suffix(2) == [false, true])
    #expect(driver.lines.contains { $0.contains("RESUB_DELTA") })
    await exchange.stop()
  }

  @Test("recovers on the next connection after silence at any step", arguments: FakeBetfair.Step.allCases)
  func silence(step: FakeBetfair.Step) async throws {
    let (exchange, token) = try await exchange()
    exchange.state.withLock { $0.faults = [.init(step: step, kind: .silence)] }
    var driver = StreamDriver { $0.heartbeat = 1000 }
    let client = try await driver.connect(to: exchange, token: token)
    // NB: Before the subscription is accepted, the time of an answer is 15 s. The end of the connection replaces it
    // here.
    let isLive = step == .subscribed || step == .imageBegun
    let channel = client.channel
    if !isLive { exchange.afterFaults { channel.close(promise: nil) } }
    #expect(await driver.run(on: client, detectsSilence: isLive) == (isLive ? .silence : nil))
    let next = try await driver.connect(to: exchange, token: token)
    #expect(await driver.run(on: next) { $0.text == exchange.text } == nil)
    await exchange.stop()
  }

  @Test("stays connected while heartbeats arrive, and ends after two missing heartbeats")
  func heartbeats() async throws {
    let (exchange, token) = try await exchange(1)
    var driver = StreamDriver()
    let client = try await driver.connect(to: exchange, token: token)
    #expect(await driver.run(on: client) { $0.lines.count { $0.contains("HEARTBEAT") } == 2 } == nil)
    exchange.state.withLock { $0.isStale = true }
    #expect(await driver.run(on: client) { $0.batch.messages.last?.source == .impaired(.sourceStale) } == nil)
    exchange.trigger(.silence)
    #expect(await driver.run(on: client, detectsSilence: true) == .silence)
    await exchange.stop()
  }

  @Test("is refused with the code for a wrong key, an expired session and too many connections")
  func refusals() async throws {
    let (exchange, token) = try await exchange(1)
    func failure(_ token: String, key: String = "KEY") async throws -> StreamErrorCode? {
      var driver = StreamDriver(key: key)
      let client = try await driver.connect(to: exchange, token: token)
      guard case .refused(let code, _)? = await driver.run(on: client, until: { !$0.lines.isEmpty }) else { return nil }
      return code
    }
    #expect(try await failure(token, key: "WRONG") == .invalidAppKey)
    #expect(try await failure(token, key: "") == .noAppKey)
    #expect(try await failure("") == .noSession)
    exchange.state.withLock { $0.refusals["marketSubscription"] = ["UNEXPECTED_ERROR"] }
    #expect(try await failure(token) == .unexpectedError)
    exchange.state.withLock { $0.marketLimit = 0 }
    #expect(try await failure(token) == .subscriptionLimit)
    exchange.state.withLock { $0.connectionLimit = 0 }
    #expect(try await failure(token) == .connectionLimit)
    exchange.expireSessions()
    #expect(try await failure(token) == .invalidSession)
    await exchange.stop()
  }

  @Test("starts with a new image when its position is unknown")
  func positions() async throws {
    let (exchange, token) = try await exchange()
    var driver = StreamDriver()
    for round in 0..<2 {
      let client = try await driver.connect(to: exchange, token: token)
      #expect(await driver.run(on: client) { $0.text == exchange.text } == nil)
      try await client.channel.close()
      exchange.set("1.100", runner: 0, back: [(230 + round, 1000)], lay: [])
    }
    exchange.forgetPositions()
    let client = try await driver.connect(to: exchange, token: token)
    guard case .refused(.invalidClock, _)? = await driver.run(on: client) else {
      Issue.record("the position was accepted")
      return
    }
    let next = try await driver.connect(to: exchange, token: token)
    #expect(await driver.run(on: next) { $0.text == exchange.text } == nil)
    #expect(driver.continuations == [false, true, false])
    await exchange.stop()
  }

  @Test("reads merged changes after slow reading, and delayed changes with a delayed key")
  func conflation() async throws {
    let (exchange, token) = try await exchange(1)
    var driver = StreamDriver()
    let client = try await driver.connect(to: exchange, token: token, isSlow: true)
    #expect(await driver.run(on: client) { $0.text == exchange.text } == nil)
    try await client.channel.setOption(.autoRead, value: false).get()
    var price = 200
    while exchange.state.withLock({ $0.heldBack }) < 10 {
      try Task.checkCancellation()
      price += 1
      exchange.set("1.100", runner: price % 3, back: [(price, 1000)], lay: [(9999, price)])
      // NB: Without this, a busy machine would fall ever further behind with the changes, and stop all connections.
      try await exchange.settle()
    }
    // Some of those changes may have been sent. These two wait, because nothing is read.
    for price in [500, 510] { exchange.set("1.100", runner: 0, back: [(price, 1000)], lay: [(9999, price)]) }
    try await client.beginReading()
    #expect(await driver.run(on: client) { $0.text == exchange.text } == nil)
    #expect(driver.lines.contains { $0.contains(#""con":true"#) } && driver.lines.count < price - 200)
    try await client.channel.close()

    var delayed = StreamDriver(key: "DELAYED")
    let other = try await delayed.connect(to: exchange, token: token)
    #expect(await delayed.run(on: other) { $0.text == exchange.text } == nil)
    #expect(delayed.batch.messages.last?.source == .impaired(.delayedAccess))
    let before = exchange.text
    for price in [300, 310] { exchange.set("1.100", runner: 0, back: [(price, 1000)], lay: []) }
    #expect(await delayed.run(on: other) { $0.lines.last!.contains("HEARTBEAT") } == nil)
    #expect(delayed.text == before)
    exchange.trigger(.release)
    #expect(await delayed.run(on: other) { $0.text == exchange.text } == nil)
    await exchange.stop()
  }

  @Test("has the exchange's state after random changes, images, moves and lost connections", arguments: 1...6)
  func law(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let (exchange, token) = try await exchange(4)
    let levels = [1, 3, 10][Int(seed % 3)]
    let hasVolumes = seed % 2 == 0
    var driver = StreamDriver {
      $0.ladderLevels = Int64(levels)
      $0.hasVolumes = hasVolumes
    }
    func isSame(_ driver: inout StreamDriver) -> Bool {
      driver.text == exchange.orderBooks(levels: levels, hasVolumes: hasVolumes)
    }
    var client = try await driver.connect(to: exchange, token: token)
    for step in 0..<200 {
      let number = Int.random(in: 0..<4, using: &random)
      let (id, runner) = ("1.\(100 + number)", Int.random(in: 0..<3, using: &random))
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        try await client.channel.close()
        client = try await driver.connect(to: exchange, token: token)
      case 1: exchange.trigger(.image)
      case 2: exchange.define(id) { $0.status = $0.status == "OPEN" ? "SUSPENDED" : "OPEN" }
      case 3: exchange.define(id) { $0.formerEventID = $0.formerEventID == nil ? "28" : nil }
      case 4: exchange.add(Self.market(10 + step))
      case 5..<10: exchange.trade(id, runner: runner, price: Int.random(in: 110...900, using: &random), size: 100)
      default:
        let offers = (0..<Int.random(in: 0...12, using: &random)).map { level in
          (price: 500 - 2 * level + Int.random(in: 0...1, using: &random), size: Int.random(in: 1...3, using: &random))
        }
        exchange.set(id, runner: runner, back: offers, lay: offers.map { ($0.price + 100, $0.size) })
      }
      if step % 20 == 0 { #expect(await driver.run(on: client, until: isSame) == nil) }
    }
    #expect(await driver.run(on: client, until: isSame) == nil)
    #expect(exchange.state.withLock { $0.refused.isEmpty } && driver.batch.unparsable == 0)
    await exchange.stop()
  }
}
