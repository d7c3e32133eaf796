import OddsClient
import TestSupport
import Testing

@Suite("A selection that a feed does not have", .timeLimit(.minutes(15)))
struct SelectionTests {
  /// The feeds, with their names in errors. Nothing listens there: a selection is refused without a connection.
  private static func sources(_ port: ReservedPort) -> [(name: String, source: FeedSource)] {
    let address = "127.0.0.1:\(port.number)"
    let account = BetfairAccount(appKey: "KEY", user: "user", password: "password")
    return [
      ("EveryMatrix", .everyMatrix(url: "ws://\(address)")), ("simulated", .simulated()),
      ("Polymarket", .polymarket(address: "polymarket://\(address)")),
      ("Betfair", .betfair(account, address: "betfair://\(address)", identity: "http://\(address)")),
    ]
  }

  /// Returns the selections that a feed does not have, with their text.
  private static func missing(_ feed: String) -> [(Selection, String)] {
    let league = (Selection.league("nba", limit: 5), ".league(nba, limit: 5)")
    switch feed {
    case "Polymarket":
      return [
        (.live(sport: .id(77), limit: 7), ".live(sport: 77, limit: 7)"), (.next(sport: .id(2)), ".next(sport: 2)"),
        (.popular(sport: .id(77)), ".popular(sport: 77)"),
      ]
    default: return [league]
    }
  }

  @Test("is an error that names the selection and the feed, before any answer of the feed")
  func missing() async throws {
    let port = ReservedPort()
    for (name, source) in Self.sources(port) {
      try await OddsClient(source).run { feed in
        for (selection, text) in Self.missing(name) {
          let error = await #expect(throws: OddsClientError.self) { try await feed.subscribe(to: selection) }
          #expect(error?.code == "selectionUnavailable")
          #expect(error?.message.contains("'\(text)'") == true, "\(name): \(text)")
          #expect(error?.message.contains(name) == true, "\(name): \(text)")
          #expect(error?.remedy.isEmpty == false)
        }
      }
    }
    withExtendedLifetime(port) {}
  }

  @Test("is also an error for a recording, except for a list, which is that of the first topic")
  func recording() async throws {
    let file = TemporaryFile(FeedText.dump(FeedText.football()) + "\n")
    try await OddsClient(.recording(path: file.path, speed: nil)).run { feed in
      #expect(!feed.recordingEndsEarly)
      _ = try await feed.subscribe(to: .popular(sport: .tennis, limit: 3))
      for selection in [Selection.league("nba"), .match(1), .topic(Topic(path: "/other"))] {
        let error = await #expect(throws: OddsClientError.self) { try await feed.subscribe(to: selection) }
        #expect(error?.code == "notRecorded" && error?.message.contains("'\(selection)'") == true)
      }
    }
  }
}
