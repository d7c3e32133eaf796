import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The score: its highlight when it changes, and the marks of red cards.
struct ScoreTests {
  private var board = Board()

  private mutating func show(_ home: Int, _ away: Int, _ status: MatchStatus = .inProgress, cards: Score? = nil) {
    board.update(
      Match(
        id: 100, labels: Match.Names(name: "Ajax - Porto"), startTime: 0, status: status,
        score: Score(home: home, away: away), minute: 12, redCards: cards))
    board.paint()
  }

  private func highlighted(_ role: Style.Role) -> String {
    let columns = board.state.layout.score
    let cells = board.screen.content.rows[2].cells[columns].filter { $0.style.role == role }
    return String(String.UnicodeScalarView(cells.compactMap { Unicode.Scalar($0.scalar) }))
  }

  @Test("The number of the side that scores is highlighted for a second")
  mutating func goal() {
    show(1, 0)
    #expect(highlighted(.rising) == "")
    show(1, 11)
    #expect(highlighted(.rising) == "11" && board.line(2).contains(" 1-11 "))
    board.wait(.milliseconds(999))
    board.paint()
    #expect(highlighted(.rising) == "11")
    #expect(board.state.nextDeadline(after: board.now) == board.now.uptime + .milliseconds(1))
    board.wait(.milliseconds(1))
    #expect(board.paint().map(\.row).contains(2))
    #expect(highlighted(.rising) == "")
    show(2, 11)
    #expect(highlighted(.rising) == "2")
  }

  @Test("A cancelled goal is highlighted as falling; a score before or after the match is not highlighted")
  mutating func others() {
    show(1, 0)
    show(0, 0)
    #expect(highlighted(.falling) == "0" && highlighted(.rising) == "")
    board = Board()
    show(0, 0, .pending)
    show(1, 0, .inProgress)
    #expect(highlighted(.rising) == "")
    show(2, 0, .ended)
    #expect(highlighted(.rising) == "")
  }

  @Test("A price change does not end the highlight of the score")
  mutating func price() {
    board.update(.football())
    let football = Match.football(odds: ["2.5", "3.1", "2.9"])
    func scored(_ match: Match, _ home: Int) -> Match {
      var match = match
      match.score = Score(home: home, away: 0)
      return match
    }
    board.update(scored(.football(), 0))
    board.update(scored(.football(), 1))
    board.wait(.milliseconds(500))
    board.update(scored(football, 1))
    board.paint()
    #expect(highlighted(.rising) == "1")
    board.wait(.milliseconds(500))
    board.paint()
    #expect(highlighted(.rising) == "")
  }

  @Test("A red-card mark does not cover a digit of a score that fills its column")
  mutating func wide() {
    show(101, 99, cards: Score(home: 0, away: 1))
    #expect(board.line(2).contains(" 101-99 "))
  }

  @Test("A side with a player sent off has a mark beside its number", arguments: [GlyphSet.unicode, .ascii])
  mutating func cards(glyphs: GlyphSet) {
    board = Board(glyphs: glyphs)
    let mark = glyphs == .unicode ? "▮" : "r"
    show(2, 1, cards: Score(home: 0, away: 0))
    #expect(board.line(2).contains(" 2-1 "))
    show(2, 1, cards: Score(home: 1, away: 0))
    #expect(board.line(2).contains(" \(mark)2-1 "))
    show(2, 1, cards: Score(home: 2, away: 1))
    #expect(board.line(2).contains(" \(mark)2-1\(mark) "))
  }
}
