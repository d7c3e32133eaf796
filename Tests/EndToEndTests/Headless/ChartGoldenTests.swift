import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  /// The chart of a match in the terminal, compared with `Golden/` and with a plain drawing of its prices. RECORD=1
  /// updates the files.
  @Suite("Golden texts of toteboard chart")
  struct ChartGoldenTests {
    private let directory = TemporaryDirectory()
    private var environment: [String: String?] { ["XDG_DATA_HOME": directory.path] }

    /// The prices of home, draw and away by minute, in hundredths. A price below zero is suspended.
    private static let prices: [[Int]] = [
      [245, 310, 290], [260, 320, 290], [230, 320, 290], [-230, -320, -290], [180, 360, 450], [-180, -360, -450],
      [250, 280, 330], [250, 280, 300], [250, -280, 300], [240, 280, 300],
    ]
    /// The minute in which the match begins, and those of the goals.
    private static let kickOff = 2
    private static let goals = [3: "1-0", 5: "1-1"]
    /// The duration of the chart in milliseconds. The last prices are known for one millisecond.
    private static let duration = (prices.count - 1) * 60_000 + 1
    /// The number of cells of the scale: those of a price, and a blank.
    private static let scale = 5

    private static func text(_ price: Int) -> String {
      let rest = price.magnitude % 100
      return "\(price.magnitude / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The messages of the feed, one for each minute.
    private static let messages: [String] = prices.enumerated().map { minute, prices in
      if minute == 0 {
        // The match has not begun.
        let match = FeedText.football(100, "Köln - 浦和紅鑽", odds: prices.map(text))
          .replacing(#""statusId":"2""#, with: #""statusId":"1""#)
        let score =
          #"{"_type":"EVENT_INFO","id":"8","typeId":"1","eventId":"100","paramFloat1":0,"paramFloat2":0}"#
        return FeedText.dump(match, score)
      }
      var changes = prices.enumerated().map { index, price in
        FeedText.change(
          "BETTING_OFFER", 121 + index, #""odds":\#(text(price)),"statusId":"\#(price < 0 ? 7 : 1)""#)
      }
      if minute == kickOff { changes.append(FeedText.change("MATCH", 100, #""statusId":"2""#)) }
      if let score = goals[minute]?.split(separator: "-") {
        changes.append(
          FeedText.change("EVENT_INFO", 8, #""paramFloat1":\#(score[0]),"paramFloat2":\#(score[1])"#))
      }
      return FeedText.update(changes.joined(separator: ","))
    }

    private func chart(_ options: [String] = [], columns: Int = 80, locale: String = "C.UTF-8") throws -> String {
      let imported = try Headless.importMessages(Self.messages, environment: environment)
      #expect(imported.status == .exit(0), "\(imported.error)")
      let variables: [String: String?] = ["COLUMNS": "\(columns)", "LC_ALL": locale]
      let chart = try Headless.run(
        ["chart", "100", "--language", "en"] + options, environment: environment.merging(variables) { $1 })
      #expect(chart.status == .exit(0) && chart.output.hasSuffix("\n"), "\(chart.error)")
      return String(chart.output.dropLast())
    }

    /// The points of an outcome's chart, as pairs of a column and a row from the top, and the cells of its axis that are
    /// thick.
    private struct Drawing: Equatable {
      var points: Set<[Int]> = []
      var suspended: Set<Int> = []
    }

    /// Returns the drawing that lines show: those of the chart, the last of which is the axis.
    private static func drawing(_ lines: ArraySlice<String>, isASCII: Bool) -> Drawing {
      var drawing = Drawing()
      // The points of a braille character, by bit.
      let places = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [0, 3], [1, 3]]
      for (row, line) in lines.enumerated() {
        for (cell, character) in line.unicodeScalars.dropFirst(scale).enumerated() where character != " " {
          if row == lines.count - 1 {
            if character == "━" || character == "=" { drawing.suspended.insert(cell) }
          } else if isASCII {
            drawing.points.insert([cell, row])
          } else {
            for (bit, place) in places.enumerated() where character.value & (1 << UInt32(bit)) != 0 {
              drawing.points.insert([2 * cell + place[0], 4 * row + place[1]])
            }
          }
        }
      }
      return drawing
    }

    /// Returns the drawing of the prices of an outcome. Each column of points covers an equal part of the duration, and
    /// has the points between the lowest and the highest price within it.
    private static func drawing(_ prices: [Int], cells: Int, isASCII: Bool) -> Drawing {
      var drawing = Drawing()
      let (across, down) = isASCII ? (1, 1) : (2, 4)
      let last = 8 * down - 1
      let known = prices.filter { $0 > 0 }
      let (low, high) = (known.min()!, known.max()!)
      func row(_ price: Int) -> Int {
        last - Int((Double(price - low) / Double(high - low) * Double(last)).rounded())
      }
      for column in 0..<cells * across {
        let begin = duration * column / (cells * across)
        let end = duration * (column + 1) / (cells * across)
        let within = prices.indices.filter { minute in
          let next = minute == prices.count - 1 ? duration : (minute + 1) * 60_000
          return minute * 60_000 < end && next > begin
        }.map { prices[$0] }
        if within.contains(where: { $0 < 0 }) { drawing.suspended.insert(column / across) }
        let live = within.filter { $0 > 0 }
        guard let lowest = live.min(), let highest = live.max() else { continue }
        for y in row(highest)...row(lowest) { drawing.points.insert([column, y]) }
      }
      return drawing
    }

    private static func isAxis(_ line: String) -> Bool {
      let cells = line.drop { $0 == " " }
      return cells.count >= 10 && cells.allSatisfy { "─━-=".contains($0) }
    }

    @Test(
      "A chart in the terminal has its golden text, and its points are the prices", arguments: [80, 40], [false, true])
    func terminal(columns: Int, isASCII: Bool) throws {
      let text = try chart(columns: columns, locale: isASCII ? "C" : "C.UTF-8")
      #expect(text == Golden.text("chart-\(isASCII ? "ascii-" : "")\(columns)", recording: text))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(lines.allSatisfy { $0.cellWidth <= columns }, "\(text)")
      #expect(lines.first == (isASCII ? "Koln - ????" : "Köln - 浦和紅鑽"))
      let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      for heading in [
        "home opening 2.45 closing 2.60 last 2.40 (1.80", "draw opening 3.10 closing 3.20 last 2.80 (2.80",
        "away opening 2.90 closing 2.90 last 3.00 (2.90",
      ] { #expect(words.contains(heading), "\(text)") }
      let axes = lines.indices.filter { Self.isAxis(lines[$0]) }
      try #require(axes.count == 3, "\(text)")
      for (outcome, axis) in axes.enumerated() {
        let prices = Self.prices.map { $0[outcome] }
        let known = prices.filter { $0 > 0 }
        #expect(lines[axis - 8].hasPrefix(Self.text(known.max()!) + " "), "\(text)")
        #expect(lines[axis - 1].hasPrefix(Self.text(known.min()!) + " "), "\(text)")
        let shown = Self.drawing(lines[(axis - 8)...axis], isASCII: isASCII)
        let expected = Self.drawing(prices, cells: columns - Self.scale, isASCII: isASCII)
        #expect(shown.points == expected.points, "outcome \(outcome)\n\(text)")
        #expect(shown.suspended == expected.suspended, "outcome \(outcome)\n\(text)")
        #expect(lines[axis].cellWidth == columns, "\(text)")
      }
    }

    @Test("An SVG chart marks the kick-off and the goals at their times")
    func marks() throws {
      let svg = try chart(["--output", "-"])
      func places(_ name: String) -> [Double] {
        svg.split(separator: "class=\"\(name)\" x1=\"").dropFirst().compactMap { part in
          Double(part.prefix { $0 != "\"" })
        }
      }
      // The plot is 880 wide and begins at 64.
      func place(_ minute: Int) -> Double { 64 + Double(minute * 60_000) / Double(Self.duration) * 880 }
      let expected = [("start", [Self.kickOff]), ("goal", Self.goals.keys.sorted())]
      for (name, minutes) in expected {
        let shown = places(name)
        #expect(shown.count == minutes.count, "\(name): \(shown)")
        for (shown, minute) in zip(shown, minutes) { #expect(abs(shown - place(minute)) < 0.06, "\(name)") }
      }
      for label in ["▶", "1-0", "1-1"] { #expect(svg.contains(">\(label)</text>"), "\(label)") }
    }
  }
}
