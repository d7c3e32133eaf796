import Localization
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

struct PlainBoardTests {
  static func football(_ id: Int = 100, _ odds: String..., then update: String? = nil) -> Match {
    .football(
      id, id == 100 ? "Ajax - Porto" : "Match \(id) - x", odds: odds.isEmpty ? ["2.45", "3.1", "2.9"] : odds,
      then: update)
  }

  private static func status(_ status: Int, _ id: Int = 100) -> String {
    FeedText.change("MATCH", id, #""statusId":"\#(status)""#)
  }

  private static let suspended = [121, 122, 123].map { FeedText.change("BETTING_OFFER", $0, #""statusId":"7""#) }
    .joined(separator: ",")

  private static let problem = FeedError("the server is away", remedy: "wait")

  /// Returns the text of a scripted feed that causes every kind of sentence.
  private static func transcript(_ words: Catalog) throws -> String {
    var plain = try TestPlainBoard(words, alerts: "1 >= 2.50", "score", "any move 10% in 5m")
    plain.apply(grade: .locked, connection: .connecting(attempt: 1), isLoaded: false)
    plain.apply(
      grade: .locked, connection: .waiting(Retry(attempt: 2, time: plain.now.wall + 2600, reason: problem)),
      isLoaded: false
    )
    plain.wait(.seconds(3))
    plain.apply(
      football(then: status(1)), football(200, "1.5", "4", "6.25"), grade: .locked, topic: .requested,
      source: .cache(savedAt: 0))
    plain.apply()
    for (odds, time) in [("2.47", 4), ("2.44", 3), ("2.46", 1), ("2.51", 6)] {
      plain.apply(football(100, odds, "3.1", "2.9", then: status(1)))
      plain.wait(.seconds(time))
    }
    plain.apply(football(100, "2.51", "3.1", "2.8"))
    plain.wait(.seconds(6))
    plain.apply(.football(score: (0, 0)))
    plain.apply(.football(score: (1, 0)))
    plain.wait(.seconds(6))
    plain.apply(.football(then: suspended))
    plain.wait(.seconds(6))
    plain.apply(football(then: FeedText.change("BETTING_OFFER", 122, #""statusId":"7""#)))
    plain.wait(.seconds(6))
    plain.apply(football(then: FeedText.change("BETTING_OFFER", 122, #""statusId":"4","isAvailable":false"#)))
    plain.wait(.seconds(6))
    plain.apply(football(), .football(300, #"Köln\u001b[2J - 浦和"#, odds: ["2", "3", "4"]))
    plain.wait(.seconds(6))
    plain.apply(grade: .locked)
    plain.apply(grade: .locked, connection: .waiting(Retry(attempt: 1, time: plain.now.wall + 400, reason: problem)))
    plain.apply(grade: .locked, topic: .maintenance(retryAt: plain.now.wall + 1000))
    plain.apply(grade: .locked, topic: .late)
    plain.wait(.seconds(1))
    plain.apply(football(100, "2", "3.1", "2.9"), removed: [200])
    plain.wait(.seconds(6))
    plain.apply(.football(score: (2, 1), status: 3))
    plain.apply(football(300, "2.2", "3", "4"), grade: .closed, connection: .ended)
    return plain.lines.joined(separator: "\n")
  }

  @Test("Delayed prices are announced once, with the cause of the delay")
  func late() throws {
    var plain = try TestPlainBoard()
    plain.apply(.football(), grade: .delayed, cause: .delayedAccess)
    plain.wait(.seconds(2))
    let lines = plain.newLines()
    #expect(lines.contains { $0.contains("he prices are not live: delayed 3 min by the key") }, "\(lines)")
    plain.apply(.football(), grade: .delayed, cause: .delayedAccess)
    plain.wait(.seconds(2))
    #expect(plain.newLines().isEmpty)
  }

  @Test("A scripted feed has its golden text in each language", arguments: Language.allCases)
  func transcripts(language: Language) throws {
    let text = try Self.transcript(Catalog(language))
    #expect(text == Golden.text("plain-\(language.rawValue)", recording: text))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }

  @Test("A price that returns to its last written value is not written")
  func back() throws {
    var plain = try TestPlainBoard()
    plain.apply(Self.football(100, "2", "3", "4"))
    plain.apply(Self.football(100, "2.1", "3", "4"))
    plain.apply(Self.football(100, "2", "3", "4"))
    _ = plain.newLines()
    plain.wait(.seconds(5))
    #expect(plain.newLines() == [])
  }

  @Test("The prices of another main market are written without a comparison, and those that it lacks are withdrawn")
  func otherMarket() throws {
    var plain = try TestPlainBoard()
    plain.apply(Self.football())
    plain.wait(.seconds(5))
    _ = plain.newLines()
    plain.apply(Self.football(then: FeedText.otherMarket(odds: "1.8")))
    #expect(plain.newLines() == ["Ajax - Porto: home 1.80; draw withdrawn; away withdrawn."])
  }

  @Test("A price that was suspended is not compared with a price that was not written")
  func unwritten() throws {
    var plain = try TestPlainBoard()
    let suspended = FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)
    for (match, expected) in [
      (Self.football(), "new; home 2.45; draw 3.10; away 2.90."),
      (Self.football(100, "2.4", "3.1", "2.9", then: suspended), "home suspended."),
      (Self.football(100, "2.5", "3.1", "2.9"), "home 2.50."),
    ] {
      plain.apply(match)
      plain.wait(.seconds(5))
      let lines = plain.newLines()
      #expect(lines.last == "Ajax - Porto: \(expected)")
    }
  }

  @Test("A permanent failure of the feed is written with its reason, and ends the board")
  func failure() throws {
    var plain = try TestPlainBoard()
    plain.apply(grade: .closed, connection: .failed(Self.problem), isLoaded: false)
    #expect(plain.newLines() == ["The feed is unavailable: the server is away: wait."])
    #expect(plain.board.isOver && plain.board.failure == Self.problem)
  }

  @Test(
    "Changes while locked are written when the feed is live again; repeated connection losses are written once")
  func locked() throws {
    var plain = try TestPlainBoard()
    plain.apply(Self.football(100, "2", "3", "4"))
    plain.wait(.seconds(10))
    _ = plain.newLines()
    let retry = Retry(attempt: 2, time: plain.now.wall + 1000, reason: Self.problem)
    for _ in 0..<3 {
      plain.apply(Self.football(100, "2.5", "3", "4"), grade: .locked, connection: .waiting(retry))
      plain.apply(grade: .locked, connection: .connecting(attempt: 2))
      plain.wait(.seconds(10))
    }
    #expect(plain.newLines() == ["No connection to the feed, retrying in 1 s: the server is away: wait."])
    plain.apply()
    #expect(plain.newLines() == ["The feed is back.", "Ajax - Porto: home 2.50, up from 2.00."])
  }

  @Test(
    "Prices are not written while the provider's own prices or list are out of date, but when they are in time again",
    arguments: [Freshness.Cause.sourceStale, .catalogueStale])
  func stale(cause: Freshness.Cause) throws {
    let words = Catalog.english
    var plain = try TestPlainBoard()
    plain.apply(Self.football(100, "2", "3", "4"))
    plain.wait(.seconds(10))
    _ = plain.newLines()
    plain.apply(Self.football(100, "2.5", "3", "4"), grade: .delayed, cause: cause)
    plain.wait(.seconds(10))
    #expect(plain.newLines() == ["The prices are not live: \(words(cause.name))."])
    plain.apply()
    #expect(plain.newLines() == ["The feed is back.", "Ajax - Porto: home 2.50, up from 2.00."])
  }

  @Test("With a filter only matches that fit are written; a match that begins to fit is written as new")
  func filter() throws {
    var plain = try TestPlainBoard(filter: "home >= 2.5")
    plain.apply(Self.football(100, "2", "3", "4"), Self.football(200, "3", "3", "4"))
    #expect(plain.newLines() == ["1 match in Live.", "Match 200 - x: new; home 3.00; draw 3.00; away 4.00."])
    plain.wait(.seconds(6))
    plain.apply(Self.football(100, "2.4", "3", "4"), Self.football(200, "2", "3", "4"))
    plain.wait(.seconds(6))
    #expect(plain.newLines() == [])
    plain.apply(Self.football(100, "2.5", "3", "4"), removed: [200])
    plain.wait(.seconds(6))
    #expect(plain.newLines() == ["Ajax - Porto: new; home 2.50; draw 3.00; away 4.00."])
  }

  @Test("A match that begins to fit because of the time is written at the next full minute, without a change")
  func filterOfTime() throws {
    var plain = try TestPlainBoard(filter: "start < 30m")
    let match = Match(
      id: 100, labels: Match.Names(name: "Ajax - Porto"), startTime: plain.now.wall + 30 * 60_000 + 500,
      status: .pending, markets: [])
    plain.wait(.milliseconds(100))
    plain.apply(match)
    #expect(plain.newLines() == ["0 matches in Live."])
    #expect(plain.board.nextDeadline(after: plain.now) == plain.now.uptime + .milliseconds(59_900))
    plain.wait(.milliseconds(59_899))
    #expect(plain.newLines() == [])
    plain.wait(.milliseconds(1))
    #expect(plain.newLines() == ["Ajax - Porto: new; kick-off at 08:30."])
  }

  @Test("At a step the filter is applied only to the matches for which a comparison with the start changes its result")
  func cheapStep() throws {
    var plain = try TestPlainBoard(filter: "start < 30s")
    let firstStart = plain.now.wall + 30_500
    let matches = (0..<100).map { (index: Int) -> Match in
      let status: MatchStatus = index % 2 == 0 ? .pending : .inProgress
      return Match(
        id: MatchID(raw: UInt64(index + 1)), labels: Match.Names(name: "Match \(index)"),
        startTime: firstStart + 1000 * Int64(index), status: status)
    }
    plain.board.apply(ChannelUpdate(changed: matches, freshness: Freshness(.live, since: 0)), now: plain.now)
    plain.collectLines()
    #expect(plain.newLines() == ["0 matches in Live."] && plain.board.filterCount == 100)
    for second in 1...10 {
      plain.wait(.seconds(1))
      let lines = plain.newLines()
      #expect(lines == (second % 2 == 1 ? ["Match \(second - 1): new; kick-off at 08:00."] : []), "\(lines)")
    }
    #expect(plain.board.filterCount == 105)
  }

  @Test("A match that ends and is removed is written once, as ended")
  func over() throws {
    var plain = try TestPlainBoard()
    plain.apply(.football(score: (1, 0)))
    plain.apply(.football(score: (2, 0), status: 3))
    plain.apply(removed: [100])
    _ = plain.newLines()
    plain.wait(.seconds(6))
    #expect(plain.newLines() == ["Ajax - Porto: ended, 2-0."])
    plain.apply(.football(score: (2, 0), status: 3))
    plain.wait(.seconds(6))
    #expect(plain.newLines() == ["Ajax - Porto: new; ended, 2-0."])
    plain.apply(removed: [100])
    plain.wait(.seconds(6))
    #expect(plain.newLines() == [])
  }
}
