import OddsModel
import Testing

@testable import Dashboard

/// The limits of a plain board: one sentence of a match in each interval, ten lines in any second.
struct PlainLimitTests {
  @Test("The first change is written at once, the newest of the next ones after five seconds, with their number")
  func rate() throws {
    var plain = try TestPlainBoard()
    plain.apply(PlainBoardTests.football(100, "2", "3", "4"))
    _ = plain.newLines()
    plain.wait(.seconds(5))
    for step in 1...7 {
      plain.apply(PlainBoardTests.football(100, "2.\(10 + step)", "3", "4"))
      plain.wait(.milliseconds(100))
    }
    #expect(plain.newLines() == ["Ajax - Porto: home 2.11, up from 2.00."])
    #expect(plain.board.nextDeadline(after: plain.now) == plain.now.uptime + .milliseconds(4300))
    plain.wait(.milliseconds(4299))
    #expect(plain.newLines() == [])
    plain.wait(.milliseconds(1))
    #expect(plain.newLines() == ["Ajax - Porto: home 2.17, up from 2.11, and 5 more changes."])
    plain.wait(.seconds(100))
    #expect(plain.newLines() == [] && plain.board.nextDeadline(after: plain.now) == nil)
  }

  @Test("At most ten lines a second are written, oldest first, each with its newest price, without a backlog")
  func flood() throws {
    var plain = try TestPlainBoard()
    let matches = 300
    func update(_ step: Int) -> [Match] {
      (1...matches).map { PlainBoardTests.football($0 * 1000, "\(2 + step).5", "3", "4") }
    }
    plain.board.apply(ChannelUpdate(changed: update(0), freshness: Freshness(.live, since: 0)), now: plain.now)
    plain.collectLines()
    #expect(plain.newLines() == ["300 matches in Live."])
    var seconds: [Int] = []
    for step in 1...20 {
      plain.board.apply(ChannelUpdate(changed: update(step), freshness: Freshness(.live, since: 0)), now: plain.now)
      for _ in 0..<10 { plain.wait(.milliseconds(100)) }
      let lines = plain.newLines()
      seconds.append(lines.count)
      #expect(lines.last!.contains("home \(2 + step).50"))
    }
    #expect(seconds.allSatisfy { $0 == PlainBoard.linesPerSecond }, "\(seconds)")
    // When the updates stop, all pending changes are written, each match once.
    plain.wait(.seconds(1))
    _ = plain.newLines()
    while let next = plain.board.nextDeadline(after: plain.now) {
      plain.wait(max(.milliseconds(1), next - plain.now.uptime))
    }
    let names = plain.newLines().map { $0.prefix { $0 != ":" } }
    #expect(Set(names).count == names.count && names.count > 80)
  }

  @Test("After a pause no second has more than ten lines")
  func burst() throws {
    var plain = try TestPlainBoard()
    func apply(_ price: String) {
      let matches = (1...30).map { PlainBoardTests.football($0 * 1000, price, "3", "4") }
      plain.board.apply(ChannelUpdate(changed: matches, freshness: Freshness(.live, since: 0)), now: plain.now)
      plain.collectLines()
    }
    apply("2")
    plain.wait(.seconds(10))
    _ = plain.newLines()
    apply("2.1")
    var counts = [plain.newLines().count]
    for _ in 0..<30 {
      plain.wait(.milliseconds(100))
      counts.append(plain.newLines().count)
    }
    #expect(counts.enumerated().filter { $1 > 0 }.map(\.offset) == [0, 10, 20])
    #expect(counts.allSatisfy { $0 == 0 || $0 == 10 })
  }

  @Test("A match that is removed and returns is written after the interval, and forgotten if it does not return")
  func gone() throws {
    var plain = try TestPlainBoard()
    plain.apply(PlainBoardTests.football())
    plain.wait(.seconds(1))
    plain.apply(removed: [100])
    _ = plain.newLines()
    plain.wait(.seconds(4))
    #expect(plain.newLines() == ["Ajax - Porto: no longer in this channel."])
    plain.wait(.milliseconds(100))
    plain.apply(PlainBoardTests.football())
    plain.wait(.milliseconds(4899))
    #expect(plain.newLines() == [])
    plain.wait(.milliseconds(1))
    #expect(plain.newLines() == ["Ajax - Porto: new; home 2.45; draw 3.10; away 2.90."])
    plain.apply(removed: [100])
    plain.wait(.seconds(5))
    #expect(plain.newLines() == ["Ajax - Porto: no longer in this channel."])
    plain.wait(.seconds(5))
    #expect(plain.newLines() == [] && plain.board.nextDeadline(after: plain.now) == nil)
  }

  @Test("At the end of the feed all pending changes are written at once, and nothing after it")
  func end() throws {
    var plain = try TestPlainBoard()
    plain.apply(PlainBoardTests.football(100, "2", "3", "4"))
    plain.apply(PlainBoardTests.football(100, "2.1", "3", "4"))
    _ = plain.newLines()
    #expect(!plain.board.isOver)
    plain.apply(PlainBoardTests.football(100, "2.2", "3", "4"), grade: .closed, connection: .ended)
    #expect(plain.newLines() == ["Ajax - Porto: home 2.20, up from 2.00, and 1 more change.", "The feed has ended."])
    #expect(plain.board.isOver && plain.board.failure == nil)
    plain.wait(.seconds(10))
    #expect(plain.newLines() == [])
  }

  @Test("At the end of the feed all pending alerts are written")
  func alertsAtEnd() throws {
    var plain = try TestPlainBoard(alerts: "1 >= 2")
    let matches = (1...20).map { PlainBoardTests.football($0 * 1000, "2.5", "3", "4") }
    plain.board.apply(ChannelUpdate(changed: matches, freshness: Freshness(.live, since: 0)), now: plain.now)
    plain.collectLines()
    plain.apply(grade: .closed, connection: .ended)
    let lines = plain.newLines()
    #expect(lines.count(where: { $0.hasPrefix("Alert: ") }) == 20 && lines.last == "The feed has ended.", "\(lines)")
  }

  @Test("A burst of alerts is limited, and the number of the others is written")
  func alerts() throws {
    var plain = try TestPlainBoard(alerts: "1 >= 2")
    let matches = (1...500).map { PlainBoardTests.football($0 * 1000, "2.5", "3", "4") }
    plain.board.apply(ChannelUpdate(changed: matches, freshness: Freshness(.live, since: 0)), now: plain.now)
    for _ in 0..<100 { plain.wait(.milliseconds(100)) }
    let lines = plain.newLines()
    #expect(lines.count == 1 + PlainBoard.waitingAlerts + 1)
    #expect(lines[1] == "Alert: Match 1000 - x: home 2.50 (>= 2.00)." && lines.last == "450 more alerts.")
  }

  @Test("An alert that becomes due while no lines are written is reported at once, and written with the next lines")
  func alertWithoutLines() throws {
    var plain = try TestPlainBoard(alerts: "kickoff in 5m")
    let match = Match(
      id: MatchID(raw: 100), labels: Match.Names(name: "Ajax - Porto"), startTime: plain.now.wall + 600_000,
      status: .pending, markets: [])
    plain.apply(match)
    _ = plain.newLines()
    plain.now.uptime += .seconds(300)
    plain.now.wall += 300_000
    plain.board.tick(now: plain.now)
    let reports = plain.board.drainReports()
    #expect(reports.count == 1)
    plain.collectLines()
    let lines = plain.newLines()
    #expect(lines.count(where: { $0.hasPrefix("Alert: ") }) == 1, "\(lines)")
    let others = plain.board.drainReports()
    #expect(others.isEmpty)
  }
}
