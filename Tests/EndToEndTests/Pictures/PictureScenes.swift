import CVTerm
import Localization
import TerminalCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  /// The pictures of the documentation: screens of the programs, each in a dark and in a light terminal.
  ///
  /// `make pictures` writes them to the directory that PICTURES names. A normal test run skips them.
  @Suite(
    "Pictures", .serialized, .enabled(if: getenv("PICTURES") != nil, "make pictures writes them"),
    .timeLimit(.minutes(15)))
  struct PictureScenes {
    private let home = TemporaryDirectory()

    @Test("A picture of the board is drawn", arguments: PicturePalette.all)
    func board(_ palette: PicturePalette) throws {
      let board = try start(palette, Size(rows: 28, columns: 100), ["--rate", "40"])
      board.type("jj")
      #expect(board.waitForCounters(3))
      try board.draw("board", "The board: matches, their prices and what has just changed", palette) {
        $0.arrows >= 4 && $0.chosen == [4]
      }
    }

    @Test("A picture of an open match with its chart is drawn", arguments: PicturePalette.all)
    func match(_ palette: PicturePalette) throws {
      let board = try start(palette, Size(rows: 32, columns: 124), ["--rate", "150", "--matches", "60"])
      var row = 0
      #expect(
        board.wait { screen in
          row = screen.matches.first(where: screen.isOpenMatch) ?? 0
          return row > 0
        })
      try #require(row > 0)
      board.type(String(repeating: "j", count: row - board.screen.body.lowerBound) + "\r")
      #expect(board.wait { $0.dottedColumns.count >= 8 })
      // The chart is as wide as the pane allows: wait until it is full, but at most for four time limits.
      _ = (1...4).contains { _ in board.wait { $0.dottedColumns.count >= 40 } }
      try board.draw("match", "A match with its markets and the chart of a price", palette) {
        $0.dottedColumns.count >= 8 && $0.arrows >= 1
      }
    }

    @Test("A picture of a filter is drawn", arguments: PicturePalette.all)
    func filter(_ palette: PicturePalette) throws {
      let filter = "odds < 2.0 and sport = tennis"
      let board = try start(palette, Size(rows: 22, columns: 100), ["--rate", "40"])
      #expect(board.waitForCounters(3))
      board.type("/\(filter)")
      try board.draw("filter", "The board with the filter '\(filter)'", palette) {
        $0.hints.contains(filter) && $0.arrows >= 2
      }
    }

    @Test("A picture of alerts that were raised, and of their rules, is drawn", arguments: PicturePalette.all)
    func alerts(_ palette: PicturePalette) throws {
      let board = try start(palette, Size(rows: 22, columns: 100), ["--rate", "100"])
      board.type(":alert any move 8% in 5m again\r:alert favourite < 1.02 again by 2%\r:alert score\rA")
      try board.draw("alerts", "The rules of alerts, and the alerts that they raised", palette) { screen in
        screen.contains(Catalog.english(.alertsTriggered)) && screen.rows.count { $0.contains(Self.timeOfDay) } >= 11
      }
    }

    @Test("A picture of the end of a session is drawn", arguments: PicturePalette.all)
    func sessionEnd(_ palette: PicturePalette) throws {
      let server = try ServerProgram([
        "--require-login", "--demo-user", "demo:demo", "--admin", "127.0.0.1:0", "--rate", "40", "--seed", "7",
      ])
      defer { _ = server.end(SIGTERM) }
      let board = try start(
        palette, Size(rows: 22, columns: 100), ["--feed", server.url, "--login", "demo"],
        environment: ["TOTEBOARD_PASSWORD": "demo"])
      // Only the stream changes prices: arrows show that the prices are not those of the cache.
      #expect(board.wait { $0.text(0).contains("EUR") && $0.arrows >= 2 })
      let request = ["curl", "-sf", "-X", "POST", "\(server.admin)/sessions/demo/kick"]
      #expect(try Headless.run(request, program: "/usr/bin/env").status == .exit(0))
      // Finally the feed refuses the connection, and the board shows the feed's address.
      _ = board.wait { $0.contains(server.url) }
      try board.draw("session-end", "The dialog at the end of a session", palette) {
        $0.contains(Catalog.english(.accountEndKicked)) && $0.contains(Catalog.english(.accountGoHome))
      }
    }

    @Test("The counters without a throttle, and with one, are drawn", arguments: PicturePalette.all, ["off", "1s"])
    func throttle(_ palette: PicturePalette, _ interval: String) throws {
      let board = try start(
        palette, Size(rows: 16, columns: 100), ["--rate", "1000", "--throttle", interval])
      // The counters may be collapsed.
      if !board.wait(until: \.hasAllCounters, within: .seconds(3)) { board.type("c") }
      #expect(board.waitForCounters(6))
      let isOff = interval == "off"
      try board.draw(
        isOff ? "throttle-off" : "throttle-on",
        isOff ? "Counters at 1,000 updates a second" : "Counters at 1,000 updates a second and a throttle of 1 s",
        palette
      ) { $0.hasAllCounters }
    }

    private static var timeOfDay: Regex<Substring> { /\d\d:\d\d:\d\d/ }

    /// Starts a board that shows matches. The simulated feed is always the same.
    private func start(
      _ palette: PicturePalette, _ size: Size, _ arguments: [String], environment: [String: String?] = [:]
    ) throws -> PtyBoard {
      let seed = arguments.contains("--feed") ? [] : ["--seed", "7"]
      let board = try PtyBoard(
        ["--fresh", "--theme", palette.name] + seed + arguments, size: size,
        environment: environment.merging(["HOME": home.path]) { first, _ in first })
      try #require(board.waitForMatches(), "\(board.pty.text.suffix(500).debugDescription)")
      return board
    }
  }
}

extension VTermScreen {
  /// The number of prices that are marked as having changed.
  fileprivate var arrows: Int { body.reduce(0) { $0 + text($1).count { "▲▼".contains($0) } } }

  /// True if no outcome of the match in a row is much more likely than the others: then the prices move visibly.
  fileprivate func isOpenMatch(_ row: Int) -> Bool {
    ["1", "X", "2"].allSatisfy { (1.8...6).contains(Double(price($0, in: row)) ?? 0) }
  }

  /// The columns that contain a dot of a chart.
  fileprivate var dottedColumns: Set<Int> {
    Set(body.flatMap { row in (0..<size.columns).filter { (0x2801...0x28FF).contains(cell(row, $0).scalars.0) } })
  }

  fileprivate var hasAllCounters: Bool {
    [.counterUpdates, .counterBytes].allSatisfy { counters.contains(Catalog.english($0)) }
  }
}

extension PtyBoard {
  /// Waits until the counters, which are those of the last second, have changed that often.
  fileprivate func waitForCounters(_ times: Int) -> Bool {
    var seen: Set<[String]> = []
    return wait { screen in
      seen.insert(screen.rates)
      return seen.count > times
    }
  }

  /// Waits for a complete frame that fulfils the condition, and draws it.
  fileprivate func draw(
    _ name: String, _ title: String, _ palette: PicturePalette, when isRight: (VTermScreen) -> Bool
  ) throws {
    var isComplete = false
    for _ in 0..<100 where !isComplete {
      let isThere = wait(until: isRight)
      try #require(isThere, "\(name): \(screen.rows)")
      // A frame is one write, and frames are 16 ms apart: after a moment of silence a frame is complete.
      _ = (0..<100).contains { _ in isSilent(for: .milliseconds(4)) }
      _ = wait { screen in
        isComplete = isRight(screen)
        return true
      }
    }
    try #require(isComplete, "\(name): \(screen.rows)")
    let picture = ScreenPicture(title: title, rows: screen.pictureRows, palette: palette)
    let directory = try #require(getenv("PICTURES").map { String(cString: $0) })
    let file = try #require(fopen("\(directory)/\(name)-\(palette.name).svg", "w"), "\(directory) is not writable")
    fputs(picture.svg, file)
    #expect(fclose(file) == 0)
  }
}
