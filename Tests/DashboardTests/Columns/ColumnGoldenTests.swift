import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The chooser and chosen columns as text, compared with `Golden/`. RECORD=1 updates the files.
struct ColumnGoldenTests {
  private static let sizes = [(24, 80), (60, 200), (10, 40), (5, 20), (1, 1)]

  private func board(
    rows: Int, columns: Int, chosen: [ChosenColumn], glyphs: GlyphSet = .unicode, words: Catalog = .english
  ) -> Board {
    var board = Board(rows: rows, columns: columns, glyphs: glyphs, words: words)
    board.fill()
    let labels = Match.Names(
      name: "成都蓉城 - 天津津门虎", tournament: "中超联赛第三阶段保级组", category: "中国", part: "2nd Half", sport: "Football")
    board.update(
      Match(
        id: 900, labels: labels, startTime: 1_750_752_000_000, status: .inProgress, score: Score(home: 2, away: 1),
        minute: 67))
    board.state.settings.columns = chosen
    board.type("m")
    board.paint()
    return board
  }

  @Test("The column chooser has its golden text at each size", arguments: sizes)
  func chooser(rows: Int, columns: Int) {
    var board = board(rows: rows, columns: columns, chosen: [ChosenColumn(.name), ChosenColumn(.country)])
    board.type("Cj")
    board.expectGolden("columns-\(columns)x\(rows)")
  }

  @Test("The chooser has golden texts in French, Chinese and ASCII", arguments: [Language.french, .traditionalChinese])
  func languages(language: Language) {
    var board = board(rows: 30, columns: 80, chosen: [], words: Catalog(language))
    board.type("C")
    board.expectGolden("columns-\(language.rawValue)-80x30")
    board = self.board(rows: 30, columns: 80, chosen: [], glyphs: .ascii)
    board.type("C")
    board.expectGolden("columns-ascii-80x30")
  }

  @Test("Chosen columns, some with widths, truncate Chinese names at whole characters", arguments: sizes)
  func chosen(rows: Int, columns: Int) {
    let chosen = [
      ChosenColumn(.name, width: 17), ChosenColumn(.minute), ChosenColumn(.tournament, width: 9),
      ChosenColumn(.favourite), ChosenColumn(.mover), ChosenColumn(.time), ChosenColumn(.score), ChosenColumn(.matched),
      ChosenColumn(.oneMinute), ChosenColumn(.homeLay), ChosenColumn(.country),
    ]
    board(rows: rows, columns: columns, chosen: chosen).expectGolden("columns-chosen-\(columns)x\(rows)")
  }
}

/// The layout of chosen columns on screens of any width.
struct ColumnLayoutLawTests {
  @Test("Chosen columns keep their order with one cell between them, and only the last ones are hidden")
  func law() {
    for seed in Laws.seeds(400) {
      var random = SeededRandom(seed: seed)
      var columns = BoardColumn.allCases.shuffled(using: &random)
      columns = Array(columns.prefix(Int.random(in: 0...columns.count, using: &random)))
      if !columns.contains(.name) { columns.insert(.name, at: Int.random(in: 0...columns.count, using: &random)) }
      let chosen = columns.map { column in
        let least = column.entry.minWidth
        return ChosenColumn(
          column, width: Bool.random(using: &random) ? nil : Int.random(in: least...least + 30, using: &random))
      }
      let width = Int.random(in: 1...240, using: &random)
      let layout = ColumnLayout(ColumnSource(chosen: chosen), width: width)
      let placed = layout.placed
      #expect(placed.allSatisfy { !$0.cells.isEmpty && $0.cells.upperBound <= width }, "seed \(seed)")
      let hasGaps = zip(placed, placed.dropFirst()).allSatisfy { $0.cells.upperBound + 1 == $1.cells.lowerBound }
      #expect(hasGaps && placed.first?.cells.lowerBound == 0, "seed \(seed)")
      let others = columns.filter { $0 != .name }
      let shown = placed.map(\.column).filter { $0 != .name }
      #expect(shown + layout.hidden == others, "seed \(seed)")
      #expect(columns.filter { shown.contains($0) || $0 == .name } == placed.map(\.column), "seed \(seed)")
      for placed in placed where placed.column != .name && placed.column != .trend {
        let wanted = chosen.first { $0.column == placed.column }?.width
        #expect(placed.cells.count == wanted ?? placed.column.entry.width(onScreenOf: width), "seed \(seed)")
      }
      // The first hidden column does not fit beside a name of the minimum width.
      if let next = layout.hidden.first {
        let taken = placed.filter { $0.column != .name }.reduce(0) { $0 + $1.cells.count + 1 }
        let cells = chosen.first { $0.column == next }?.width ?? next.entry.width(onScreenOf: width)
        let name = min(chosen.first { $0.column == .name }?.width ?? 8, 8)
        #expect(taken + cells + 1 + name > width, "seed \(seed)")
      }
    }
  }
}
