import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Screens of the board in each language: words that are longer, or characters that are wider, than the English ones
/// do not cut off, move or overwrite anything.
struct LanguageTests {
  /// The scenes of a board.
  enum Scene: String, CaseIterable, Sendable {
    case board, help, inspector, problem, notice, recording
  }

  private static let refused = FeedError(
    LocalizedMessage(.problemAndRemedy, LocalizedMessage(.statusNoAnswer), "wss://odds.example/v2"),
    remedy: .verbatim("abc def"))

  private static func board(
    _ scene: Scene, _ language: Language, rows: Int, columns: Int, glyphs: GlyphSet = .unicode
  ) -> Board {
    let words = Catalog(language)
    let channels = BoardChannel.standard(matches: 100, words: words)
    var board = Board(
      rows: rows, columns: columns, rate: scene == .recording ? nil : 2.5, glyphs: glyphs,
      channels: glyphs == .ascii ? channels.map(\.inASCII) : channels,
      feedName: (glyphs == .ascii ? words.ascii : words)(.feedSimulated),
      canReconnect: scene == .problem, words: words)
    if scene == .notice {
      board.updateFreshness(
        .locked, connection: .waiting(Retry(attempt: 4, time: board.now.wall + 12_000, reason: refused)),
        isLoaded: false)
      return board
    }
    board.fill()
    board.update(
      .football(
        400, "Arsenal - Chelsea", start: 1_750_748_400_000, then: FeedText.change("MATCH", 400, #""statusId":"3""#)))
    board.paint()
    board.wait(.seconds(90))
    board.update(.football(odds: ["2.47", "3.05", "2.9"]))
    board.paint()
    switch scene {
    case .board, .notice: break
    case .help: board.type("?")
    case .recording: board.play(.seconds(83), at: .times(0.25), isPaused: true)
    case .problem:
      board.updateFreshness(
        .locked, connection: .waiting(Retry(attempt: 4, time: board.now.wall + 12_000, reason: refused)))
      board.wait(.seconds(2))
    case .inspector:
      board.type("i")
      board.receiveHealth(.sample(messages: 1000), answering: 1)
      board.wait(.seconds(1))
      board.update()
      board.paint()
      board.receiveHealth(.sample(), answering: 2)
    }
    board.paint()
    return board
  }

  @Test(
    "Whole screens in French and Chinese have their golden texts",
    arguments: [Language.french, .traditionalChinese], [(5, 20), (10, 40), (24, 80), (40, 120), (60, 200)])
  func screens(language: Language, size: (rows: Int, columns: Int)) {
    for scene in Scene.allCases {
      let board = Self.board(scene, language, rows: size.rows, columns: size.columns)
      let text = view(board.state, now: board.now).text
      let name = "\(language.rawValue)-\(scene)-\(size.columns)x\(size.rows)"
      #expect(text == Golden.text(name, recording: text), "\(name)")
    }
  }

  @Test("In ASCII, French has no accents, and Chinese is replaced by English", arguments: Language.allCases)
  func ascii(language: Language) {
    for scene in Scene.allCases {
      let board = Self.board(scene, language, rows: 24, columns: 80, glyphs: .ascii)
      let frame = view(board.state, now: board.now, glyphs: .ascii)
      // The screen itself replaces characters in names from the feed.
      for row in frame.rows where !row.description.contains(" - ") {
        #expect(row.cells.allSatisfy { $0.scalar < 0x80 }, "\(scene): \(row)")
      }
      if scene == .help {
        #expect(frame.text.contains(language == .french ? "Aller au canal" : "Switch to the channel"))
      }
    }
  }

  @Test(
    "At any size each row has the screen's width, whole wide characters and gaps between columns",
    arguments: Language.allCases, Scene.allCases)
  func sizes(language: Language, scene: Scene) {
    for columns in Array(1...44) + [60, 67, 68, 79, 80, 81, 100, 120, 200] {
      for rows in columns.isMultiple(of: 4) ? [3, 10, 24] : [10] {
        let board = Self.board(scene, language, rows: rows, columns: columns)
        let frame = view(board.state, now: board.now)
        let layout = Layout(size: board.state.size)
        for (at, row) in frame.rows.enumerated() {
          #expect(row.width == columns && row.isWhole, "\(columns)x\(rows): \(row)")
          guard board.state.overlay == nil, scene != .notice, at == layout.titles || layout.body.contains(at) else {
            continue
          }
          for gap in layout.gaps where gap < columns {
            // The sort arrow follows a title.
            let isMark = at == layout.titles && row.cells[gap].style == Style(.strong)
            #expect(row.cells[gap].scalar == 0x20 || isMark, "\(columns)x\(rows), \(gap): \(row)")
          }
        }
      }
    }
  }

  @Test("Texts in columns of a fixed width fit", arguments: Language.allCases)
  func widths(language: Language) {
    let words = Catalog(language)
    let widths: [(Int, [MessageKey])] = [
      (5, [.columnTime, .rowEnded, .rowLive, .dayMonday, .dayTuesday, .dayWednesday, .dayThursday, .dayFriday]),
      (5, [.daySaturday, .daySunday]), (10, [.columnSport]), (6, [.columnScore, .columnMargin]),
      (7, [.columnHome, .columnDraw, .columnAway]),
      (7, [.rowSuspended]), (4, [.columnAge]), (14, [.columnMatch, .columnPart]), (24, [.columnTournament]),
      (16, [.columnCountry]), (12, InspectorTable.labels), (15, InspectorTable.headings),
      (
        12,
        [
          .statusLive, .statusDelayed, .statusLocked, .statusSuspended, .statusClosed, .statusMaintenance,
          .statusRefused, .topicLate, .topicRequested, .sourceNone, .sourceCache, .sourceREST, .sourceStream,
        ]
      ),
    ]
    for (width, phrases) in widths + [
      (6, [.detailColumnOpen]), (5, [.detailColumnChance]), (7, [.detailColumnPrice]), (10, [.detailColumnTrend]),
    ] {
      for phrase in phrases { #expect(words(phrase).cellWidth <= width, "\(phrase)") }
    }
    for seconds in [0, 59, 60, 3599, 3600, 86_399, 86_400, 99 * 86_400, 100 * 86_400, 5000 * 86_400] {
      #expect((Age(.seconds(seconds), finely: true)?.text(words).cellWidth ?? 0) <= 4, "\(seconds) s")
    }
  }

  @Test(
    "On 80 columns the footer shows the main keys, and the help explains every key", arguments: Language.allCases)
  func keys(language: Language) {
    let words = Catalog(language)
    let board = Self.board(.board, language, rows: 24, columns: 80)
    for hint in [MessageKey.hintOpen, .hintFind, .hintSort, .hintOdds, .hintThrottleOff, .hintHelp, .hintQuit] {
      #expect(board.line(23).contains(" \(words(hint))"), "\(board.line(23))")
    }
    let help = Self.board(.help, language, rows: 66, columns: 80)
    #expect(!help.text.contains("…"))
    for binding in KeyBinding.all where binding.firstKey(.standard) != nil {
      #expect(help.text.contains(words(binding.help)), "\(binding.names)")
    }
    for group in KeyBinding.Group.allCases { #expect(help.text.contains(words(group.title))) }
  }

  @Test("A price change highlights the same digits with a decimal comma, and its age is localized")
  func prices() {
    var board = Board(rows: 8, columns: 80, words: Catalog(.french))
    board.update(.football(odds: ["2.45", "3.10", "2.9"]))
    board.paint()
    board.update(.football(odds: ["2.47", "3.10", "2.9"]))
    board.paint()
    let highlighted = board.screen.content.rows[2].cells.filter { $0.style.role == .rising }.compactMap {
      Unicode.Scalar($0.scalar)
    }
    #expect(String(String.UnicodeScalarView(highlighted)) == "7▲" && board.line(2).contains("2,47▲"))
    board.wait(.seconds(100_000))
    board.paint()
    #expect(board.line(2).hasSuffix("1j"))
  }

  @Test(
    "Chinese wraps between characters, but not before closing or after opening punctuation",
    arguments: [
      ("資料源維護中；稍後會自動再試。", 14, ["資料源維護中；", "稍後會自動再", "試。"]),
      ("無法連線「ws://a」：檢查", 12, ["無法連線", "「ws://a」：", "檢查"]), ("a b c", 3, ["a b", "c"]),
      ("Il redemande\u{202F}; oui", 13, ["Il", "redemande\u{202F};", "oui"]),
    ])
  func wrapping(text: String, width: Int, lines: [String]) {
    #expect(text.wrapped(to: width) == lines)
  }

  @Test("A channel is found by its localized name and by its English name")
  func channels() {
    let channels = BoardChannel.standard(matches: 100, words: Catalog(.traditionalChinese))
    #expect(channels[1].title == "足球")
    #expect(channels[1].isCalled("足球") && channels[1].isCalled("football") && !channels[1].isCalled("tennis"))
  }
}

extension Row {
  /// True if every wide character has both its halves.
  var isWhole: Bool {
    cells.indices.allSatisfy { at in
      switch cells[at].width {
      case 0: at > 0 && cells[at - 1].width == 2
      case 2: at + 1 < cells.count && cells[at + 1].width == 0
      default: true
      }
    }
  }
}

extension Layout {
  /// The cells between the columns.
  fileprivate var gaps: [Int] { columns.placed.map(\.cells.upperBound) }
}

extension InspectorTable {
  private static var entries: [Entry] { (0..<count(width: 200)).flatMap { entries($0, width: 200) } }

  fileprivate static var labels: [MessageKey] {
    entries.compactMap { if case .figure(let label, _) = $0 { label } else { nil } }
  }

  fileprivate static var headings: [MessageKey] {
    entries.compactMap { if case .heading(let title) = $0 { title } else { nil } }
  }
}
