import FeedServer
import FeedSimulator
import Logging
import OddsClient
import Platform
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("A client of a feed", .timeLimit(.minutes(15)))
struct OddsClientTests {
  private static func server(
    matches: Int = 40, _ change: (inout ServerOptions) -> Void = { _ in }
  ) async throws -> RunningServer {
    var options = ServerOptions()
    options.port = 0
    change(&options)
    var logger = Logger(label: "client")
    logger.logLevel = .critical
    let feed = BookFeed(
      options: try SimulatorOptions(matches: matches, rate: 200, startTime: ClientClock.wallTime()), uptime: 0)
    return try await RunningServer.start(options, playing: feed, logger: logger)
  }

  /// Returns a client for which no time passes, so that a slow machine does not make prices untrusted.
  private static func client(of server: RunningServer) throws -> OddsClient {
    try OddsClient(.everyMatrix(url: server.url), clock: ManualClock().clientClock)
  }

  @Test("the first update has the whole selection, and later ones only what changed")
  func updates() async throws {
    let server = try await Self.server()
    let client = try Self.client(of: server)
    try await client.run { feed in
      let popular = try await feed.subscribe(to: .popular(limit: 10))
      var isFirst = true
      for await update in popular.updates {
        if isFirst { #expect(update.changed.count == 10 && update.isTrusted && update.connection == .live) }
        if !isFirst, !update.changed.isEmpty { break }
        isFirst = false
      }
    }
    await server.stop()
  }

  @Test("a subscription to a match has all its markets")
  func match() async throws {
    let client = try OddsClient(.simulated(matches: 5, rate: 50))
    let (listed, all) = try await client.run { feed in
      let popular = try await feed.subscribe(to: .popular(sport: .football, limit: 5))
      var listed: Match?
      for await update in popular.updates {
        listed = update.changed.first
        break
      }
      let match = try await feed.subscribe(to: .match(try #require(listed).id))
      for await update in match.updates { return (listed, update.changed.first) }
      return (listed, nil)
    }
    #expect(all?.id == listed?.id)
    let markets = Set(try #require(all).markets.map(\.id))
    #expect(markets.isSuperset(of: try #require(listed).markets.map(\.id)) && !markets.isEmpty)
  }

  @Test("an error of the closure ends the connection and is thrown")
  func closureError() async throws {
    struct Stop: Error {}
    let client = try OddsClient(.simulated())
    await #expect(throws: Stop.self) {
      try await client.run { feed in
        _ = try await feed.subscribe(to: .live())
        throw Stop()
      }
    }
  }

  @Test("cancelling the task ends the updates, the closure and the connection")
  func cancellation() async throws {
    let server = try await Self.server()
    let client = try OddsClient(.everyMatrix(url: server.url))
    let (first, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await client.run { feed in
        for await _ in try await feed.subscribe(to: .live()).updates { continuation.yield() }
        return true
      }
    }
    for await _ in first { break }
    task.cancel()
    #expect(try await task.cancellableValue, "the updates end, and the closure returns")
    await server.stop()
  }

  @Test("cancelling a subscription ends its updates, and other subscriptions continue")
  func cancelsSubscription() async throws {
    let client = try OddsClient(.simulated(rate: 100))
    try await client.run { feed in
      let (live, next) = (try await feed.subscribe(to: .live()), try await feed.subscribe(to: .next()))
      await live.cancel()
      for await update in live.updates { #expect(!update.isTrusted) }
      for await update in next.updates where update.isTrusted { break }
    }
  }

  @Test("a selection that the feed refuses is an error with a code, and the connection stays open")
  func refusal() async throws {
    let server = try await Self.server()
    let client = try OddsClient(.everyMatrix(url: server.url))
    try await client.run { feed in
      let error = await #expect(throws: OddsClientError.self) {
        try await feed.subscribe(to: .match(MatchID("99999999999")!))
      }
      #expect(
        error?.code.isEmpty == false && error?.message.contains("99999999999") == true, "\(String(describing: error))")
      _ = try await feed.subscribe(to: .live())
    }
    await server.stop()
  }

  @Test("an error that no retry can fix, such as a wrong token, cancels the closure and is thrown")
  func fatal() async throws {
    let server = try await Self.server { $0.token = AccessToken("the-right-token") }
    let client = try OddsClient(.everyMatrix(url: server.url, token: "a-wrong-token"))
    let error = await #expect(throws: OddsClientError.self) {
      try await client.run { feed in _ = try await feed.subscribe(to: .live()) }
    }
    #expect(error?.code == "answerWantsToken", "\(String(describing: error))")
    await server.stop()
  }

  @Test("a lost connection makes prices untrusted until the new connection has a dump")
  func lossOfConnection() async throws {
    let port = ReservedPort()
    let server = try await Self.server { $0.port = port.number }
    let client = try Self.client(of: server)
    try await client.run { feed in
      var updates = try await feed.subscribe(to: .live()).updates.makeAsyncIterator()
      #expect(await updates.next()?.isTrusted == true)
      await server.stop()
      while let update = await updates.next(), update.isTrusted {}
      let again = try await Self.server { $0.port = port.number }
      await feed.reconnect()
      while let update = await updates.next(), !update.isTrusted {}
      await again.stop()
    }
  }

  @Test("a subscription that the feed refuses after a reconnect has the error, while another one continues")
  func lateRefusal() async throws {
    let port = ReservedPort()
    let server = try await Self.server { $0.port = port.number }
    let client = try Self.client(of: server)
    try await client.run { feed in
      let live = try await feed.subscribe(to: .popular(limit: 40))
      var others = live.updates.makeAsyncIterator()
      let last = try #require(await others.next()?.changed.map(\.id).max { $0.raw < $1.raw })
      var updates = try await feed.subscribe(to: .match(last)).updates.makeAsyncIterator()
      #expect(await updates.next().map { $0.isTrusted && $0.problem == nil } == true)
      await server.stop()
      while let update = await updates.next(), update.isTrusted {}
      let again = try await Self.server(matches: 1) { $0.port = port.number }
      await feed.reconnect()
      var update = await updates.next()
      while let new = update, new.problem == nil { update = await updates.next() }
      let refusal = try #require(update)
      #expect(!refusal.isTrusted && refusal.problem?.message.contains("\(last)") == true, "\(refusal)")
      while let update = await others.next(), !update.isTrusted {}
      await again.stop()
    }
  }

  @Test("a recording is read to its end")
  func recording() async throws {
    let file = TemporaryFile(
      FeedText.dump(FeedText.football()) + "\n" + FeedText.update(FeedText.odds(121, "2.5")) + "\n")
    #expect(try await Examples.recording(path: file.path) == 1)
    let client = try OddsClient(.recording(path: file.path, speed: nil))
    let error = try await client.run { feed in
      _ = try await feed.subscribe(to: .live(sport: .football, limit: 50))
      return await #expect(throws: OddsClientError.self) { try await feed.subscribe(to: .league("nba")) }
    }
    #expect(error?.code == "notRecorded")
  }

  @Test("the error that ends a recording is thrown, also if the closure returns because of it")
  func cutRecording() async throws {
    let file = TemporaryFile(FeedText.dump(FeedText.football()) + "\n")
    let client = try OddsClient(.recording(path: file.path, speed: nil))
    file.truncate(to: 10)
    // The error and the end of the closure come in any order.
    for _ in 0..<200 {
      let error = await #expect(throws: OddsClientError.self) {
        try await client.run { feed in _ = try? await feed.subscribe(to: .live()) }
      }
      #expect(error?.message.contains("truncated") == true, "\(String(describing: error))")
    }
  }

  @Test("a compressed recording of Betfair's stream is read")
  func compressed() async throws {
    let file = TemporaryFile()
    #expect(write(file.descriptor, Self.compressedImage, Self.compressedImage.count) == Self.compressedImage.count)
    let client = try OddsClient(.recording(path: file.path, speed: nil))
    // A recording is indexed once for all runs.
    for _ in 0..<2 {
      let match: Match? = try await client.run { feed in
        let all = try await feed.subscribe(to: .topic(try #require(feed.recordedTopics.first)))
        for await update in all.updates { if let match = update.changed.first { return match } }
        return nil
      }
      #expect(match?.name == "Ajax v Porto" && match?.markets.first?.prices.compactMap { $0?.description } == ["2.50"])
    }
  }

  @Test("a historical file of Betfair, which has no image of all markets, is read")
  func historical() async throws {
    let file = TemporaryFile(
      #"{"op":"mcm","clk":"A","pt":1750000000000,"mc":[{"id":"1.200000001","marketDefinition":{"status":"OPEN","#
        + #""bettingType":"ODDS","marketType":"MATCH_ODDS","eventId":"29","eventTypeId":"1","eventName":"Ajax v Porto","#
        + #""runners":[{"id":1,"status":"ACTIVE","sortPriority":1},{"id":2,"status":"ACTIVE","sortPriority":2}]},"#
        + #""rc":[{"id":1,"ltp":2.5,"atb":[[2.5,10]]}]}]}"# + "\n")
    let client = try OddsClient(.recording(path: file.path, speed: nil))
    let match: Match? = try await client.run { feed in
      for await update in try await feed.subscribe(to: .live()).updates {
        if let match = update.changed.first { return match }
      }
      return nil
    }
    #expect(match?.name == "Ajax v Porto")
    #expect(match?.markets.first?.prices.first.flatMap { $0?.description } == "2.50")
  }

  /// An image of one market, with a price of 2.5 to back Ajax against Porto, as a `.bz2` file.
  private static let compressedImage: [UInt8] = [
    66, 90, 104, 57, 49, 65, 89, 38, 83, 89, 142, 103, 176, 16, 0, 0, 176, 223, 128, 0, 16, 80, 5, 122, 48, 62,
    227, 207, 10, 191, 187, 223, 106, 48, 0, 234, 76, 52, 66, 154, 49, 49, 1, 166, 32, 13, 13, 51, 38, 163, 104,
    212, 26, 17, 162, 53, 61, 35, 212, 0, 98, 52, 0, 0, 26, 24, 104, 105, 160, 6, 128, 3, 64, 0, 50, 26, 30, 236,
    104, 227, 51, 38, 150, 118, 193, 180, 172, 44, 5, 164, 110, 193, 69, 146, 80, 133, 176, 64, 215, 68, 69, 75,
    204, 3, 6, 96, 192, 68, 64, 5, 225, 42, 169, 33, 35, 12, 206, 137, 89, 154, 105, 114, 170, 179, 177, 176, 58,
    224, 6, 112, 212, 129, 26, 215, 169, 160, 16, 43, 1, 173, 117, 139, 133, 130, 175, 140, 12, 130, 230, 194, 39,
    209, 124, 148, 38, 4, 137, 22, 161, 40, 84, 113, 133, 114, 58, 227, 20, 208, 5, 53, 19, 111, 106, 238, 30, 180,
    147, 143, 88, 86, 70, 137, 113, 51, 1, 43, 15, 57, 240, 43, 94, 36, 136, 186, 67, 153, 32, 168, 180, 238, 134,
    152, 164, 199, 119, 1, 108, 189, 189, 5, 248, 148, 24, 243, 30, 70, 249, 189, 18, 134, 6, 8, 9, 144, 166, 89,
    202, 40, 66, 56, 159, 64, 80, 137, 18, 132, 244, 58, 183, 169, 52, 52, 41, 108, 82, 86, 14, 4, 251, 11, 197,
    182, 9, 25, 159, 226, 238, 72, 167, 10, 18, 17, 204, 246, 2, 0,
  ]

  @Test("an invalid value is an error with a code and the value")
  func invalid() {
    func code(_ source: FeedSource) -> String? {
      do throws(OddsClientError) {
        _ = try OddsClient(source)
        return nil
      } catch {
        #expect(!error.remedy.isEmpty)
        return error.code
      }
    }
    #expect(code(.simulated(matches: 0)) == "optionOutOfRange")
    #expect(code(.recording(path: "/no/such/file")) == "recordingUnreadable")
    #expect(code(.recording(path: "/no/such/file", speed: 0)) == "optionOutOfRange")
    let file = TemporaryFile("{}\n")
    #expect(code(.recording(path: file.path)) == "recordingInvalid")
    #expect(code(.everyMatrix(url: "wss://host", operatorID: "1/2")) == "valueInvalid")
    #expect(code(.everyMatrix(url: "ftp://host")) != nil)
    #expect(code(.everyMatrix(url: "ws://host.example", token: "secret")) == "tokenUnencrypted")
  }
}
