import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The names of the tabs stay as long as there is room for them.
struct TabTests {
  private static let long = ["Brazilian Serie A", "Premier League", "Live"]

  private func header(
    _ columns: Int, _ titles: [String] = ["Live", "Football", "Tennis", "Basketball", "Next", "Popular"],
    keys: String = ""
  ) -> String {
    let channels = titles.enumerated().map { BoardChannel(title: $1, topic: Topic(path: "/\($0)")) }
    var board = Board(rows: 10, columns: columns, channels: channels)
    board.fill()
    board.type(keys)
    board.paint()
    return board.line(0)
  }

  @Test("First the status is shortened, then the gaps, then the names, evenly; numbers are the last resort")
  func narrowing() {
    #expect(header(200).hasSuffix("simulated ● live  08:00"))
    #expect(header(80) == " 1 Live  2 Football  3 Tennis  4 Basketball  5 Next  6 Popular     ● live 08:00")
    #expect(header(71) == " 1 Live 2 Football 3 Tennis 4 Basketball 5 Next 6 Popular ● live 08:00")
    #expect(header(60) == " 1 Live 2 Football 3 Tennis 4 Basketball 5 Next 6 Popular ●")
    #expect(header(50) == " 1 Live 2 Footb… 3 Tenn… 4 Bask… 5 Next 6 Popu… ●")
    #expect(header(40) == " 1 Live 2 Foo 3 Ten 4 Bas 5 Nex 6 Pop ●")
    #expect(header(39) == " 1 Liv 2 Foo 3 Ten 4 Bas 5 Nex 6 Pop ●")
    #expect(header(38) == " 1 Live  2  3  4  5  6   ● live 08:00")
    #expect(header(20) == " 1 Live     ● 08:00")
  }

  @Test("Long and Chinese names are shortened to fit")
  func names() {
    #expect(header(40, Self.long) == " 1 Brazilian Serie A 2 Premie… 3 Live ●")
    #expect(header(20, Self.long) == " 1 Brazili…  2  3 ●")
    let chinese = ["即時", "足球", "網球", "籃球", "即將", "熱門"]
    #expect(header(80, chinese).hasPrefix(" 1 即時  2 足球  3 網球  4 籃球  5 即將  6 熱門 "))
    #expect(header(40, chinese) == " 1 即時 2 足球 3 網球 4 籃 5 即 6 熱  ●")
    #expect(header(20, chinese) == " 1 即時     ● 08:00")
  }

  @Test("The mark of a frozen screen takes precedence over the names and the time of day, where it fits")
  func frozen() {
    #expect(header(80, keys: "p") == " 1 Live 2 Football 3 Tennis 4 Basketball 5 Next 6 Popular   FROZEN ● live 08:00")
    #expect(header(40, keys: "p") == " 1 Live  2  3  4  5  6   FROZEN ● 08:00")
    #expect(header(20, keys: "p") == " 1 Live    FROZEN ●")
    #expect(header(12, keys: "p") == " 1 FROZEN ●")
    #expect(header(11, keys: "p") == " 1 Live  ●")
  }

  @Test(
    "Shortened names fill their room evenly, and are given up only where the shortest do not fit", arguments: 0..<60)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let letters = Array("abcde 網球é")
    let names = (0..<Int.random(in: 1...9, using: &random)).map { _ in
      String((0..<Int.random(in: 1...15, using: &random)).map { _ in letters.randomElement(using: &random)! })
    }
    let open = Int.random(in: names.indices, using: &random)
    let titles = names.enumerated().map { TabBar.Title(tab: .channel($0), number: $0 + 1, name: $1) }
    let tabs = TabBar(titles, open: .channel(open), ellipsis: "…")
    let least = 1 + names.reduce(0) { $0 + 3 + $1.short(TabBar.minName, ellipsis: "…").cellWidth }
    for room in stride(from: 0, through: 150, by: 3) {
      let items = tabs.items(.short, room: room)
      #expect((items != nil) == (least <= room), "\(names) in \(room)")
      guard let items else { continue }
      let width = items.reduce(0) { $0 + $1.text.cellWidth }
      #expect(width <= room && items.count == names.count)
      let shown = items.enumerated().map { $1.text.drop { $0 == " " }.dropFirst(2).dropLast() }
      let cut = names.indices.filter { String(shown[$0]) != names[$0] }
      // A character takes two cells at most, and a blank before the ellipsis is left out.
      if !cut.isEmpty { #expect(room - width <= 3, "\(shown) in \(room)") }
      let widths = cut.filter { $0 != open }.map { String(shown[$0]).cellWidth }
      if let most = widths.max(), let fewest = widths.min() { #expect(most - fewest <= 5, "\(shown)") }
    }
  }
}
