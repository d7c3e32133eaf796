import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The list sorted, with pins, and as the watch list.
struct ListGoldenTests {
  private static let sizes = [(24, 80), (40, 120), (10, 40), (5, 20)]

  private func board(rows: Int, columns: Int, glyphs: GlyphSet = .unicode, keys: String) -> Board {
    var board = Board(
      rows: rows, columns: columns, glyphs: glyphs, channels: BoardChannel.standard(matches: 1000))
    board.fill()
    for number in 4...40 {
      board.update(
        .football(
          number * 100, "Club \(number) - Sporting \(50 - number)", start: 1_750_759_200_000 + Int64(number) * 60_000,
          odds: ["\(1.2 + Double(number) / 10)", "3.4", "\(6.5 - Double(number) / 10)"]))
    }
    board.paint()
    board.type(keys)
    board.wait(.seconds(6))
    board.paint()
    return board
  }

  @Test("A list sorted by the biggest move has its golden text", arguments: sizes)
  func sorted(rows: Int, columns: Int) {
    var board = board(rows: rows, columns: columns, keys: "sss")
    board.update(.football(odds: ["2.2", "3.3", "3.2"]))
    board.update(.football(200, "北京国安 - 上海海港", start: 1_750_755_600_000, odds: ["1.62", "3.9", "5.6"]))
    board.wait(.seconds(3))
    board.paint()
    board.expectGolden("sorted-\(columns)x\(rows)")
  }

  @Test("Pinned rows have their golden text above the scrolled ones", arguments: sizes)
  func pinned(rows: Int, columns: Int) {
    var board = board(rows: rows, columns: columns, keys: "jmm")
    board.press(.end)
    board.wait(.seconds(6))
    board.paint()
    board.expectGolden("pinned-\(columns)x\(rows)")
  }

  @Test("A watch list, and an empty one, have their golden texts", arguments: sizes)
  func watch(rows: Int, columns: Int) {
    var board = board(rows: rows, columns: columns, keys: "0")
    board.update()
    board.expectGolden("watch-empty-\(columns)x\(rows)")
    board = self.board(rows: rows, columns: columns, keys: "jmjm0")
    board.update(.football(200, "北京国安 - 上海海港", start: 1_750_755_600_000, odds: ["1.5", "4", "6.25"]))
    board.update(.football(400, "Club 4 - Sporting 46", odds: ["1.6", "3.4", "6.1"]))
    board.expectGolden("watch-\(columns)x\(rows)")
  }

  @Test("A named watch list with a match that is not in the feed has its golden text", arguments: sizes + [(60, 200)])
  func namedWatch(rows: Int, columns: Int) {
    var board = board(rows: rows, columns: columns, keys: ":watch 德比")
    board.press(.enter)
    board.type("1")
    board.update(.football(200, "北京国安 - 上海海港"), .football(400, "Club 4 - Sporting 46"))
    board.type("mm:pin Late")
    board.press(.enter)
    board.type("7")
    board.update(.football(200, "北京国安 - 上海海港", start: 1_750_755_600_000, odds: ["1.5", "4", "6.25"]))
    board.wait(.seconds(6))
    board.paint()
    board.expectGolden("watch-named-\(columns)x\(rows)")
  }

  @Test("In ASCII, a reversed list with a pinned row, of which a part is loaded, has its golden text")
  func ascii() {
    var board = board(rows: 12, columns: 80, glyphs: .ascii, keys: "msS")
    let live = Freshness(.live, since: board.now.wall)
    let more = (1...200).map { Match.named("z\($0) - x", MatchID(raw: UInt64(90_000 + $0))) }
    _ = board.state.reduce(.channelUpdated(ChannelUpdate(changed: more, freshness: live)), now: board.now)
    board.expectGolden("list-ascii-80x12")
  }
}
