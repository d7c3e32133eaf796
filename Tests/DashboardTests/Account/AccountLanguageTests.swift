import AccountModel
import Foundation
import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The account screens in each language, compared with `Golden/`. RECORD=1 updates the files.
struct AccountLanguageTests {
  /// The scenes of the account.
  enum Scene: String, CaseIterable, Sendable {
    case pane, none, waiting, ended, kicked, terminated, other, refused, logout, form, problem, busy, demo
  }

  private static let unauthorized = FeedError(.accountWrongPassword, remedy: .accountCheckPassword)

  private static func board(
    _ scene: Scene, _ language: Language, rows: Int, columns: Int, glyphs: GlyphSet = .unicode
  ) -> Board {
    let words = Catalog(language)
    var board = Board.withAccount(
      rows: rows, columns: columns, glyphs: glyphs, canReconnect: scene == .waiting,
      canEndSession: scene == .pane || scene == .demo, words: words)
    let live = AccountStatus.live(real: -1234.5, postings: Posting.samples)
    switch scene {
    case .pane:
      board.account(live)
      board.type("$")
    case .none:
      board.state.account = nil
      board.type("$")
    case .waiting:
      let why = FeedError(
        LocalizedMessage(.accountOddAnswer, AccountError(kind: "wallet", field: "Bonus").sentence),
        remedy: LocalizedMessage(.remedyTriedAgain))
      board.account(
        live.with {
          $0.stream = .waiting(Retry(attempt: 3, time: board.now.wall + 1600, reason: why))
          $0.walletAsOf = board.now.wall - 864_000_000
        })
      board.type("$")
    case .ended: board.end(.expired)
    case .kicked: board.end(.kicked)
    case .terminated: board.end(.terminated)
    case .other: board.end(.other("Self-excluded"))
    case .refused: board.end(.refused)
    case .logout:
      board.account(live)
      board.type("L")
    case .form, .demo: board.type("L")
    case .problem, .busy:
      board.type("L王小明")
      board.press(.tab)
      board.type("secret")
      board.account(AccountStatus().with { $0.phase = .refused(user: "ana", unauthorized) })
      if scene == .busy { board.press(.enter) }
    }
    return board
  }

  @Test(
    "Whole screens in French and Chinese have their golden texts",
    arguments: [Language.french, .traditionalChinese], [(24, 80), (10, 40), (10, 20)])
  func screens(language: Language, size: (rows: Int, columns: Int)) {
    for scene in Scene.allCases {
      let board = Self.board(scene, language, rows: size.rows, columns: size.columns)
      let text = view(board.state, now: board.now).text
      let name = "\(language.rawValue)-account-\(scene)-\(size.columns)x\(size.rows)"
      #expect(text == Golden.text(name, recording: text), "\(name)")
    }
  }

  @Test("Balances in the header have golden texts", arguments: [Language.french, .traditionalChinese], [true, false])
  func header(language: Language, isLive: Bool) {
    let lines = [200, 120, 100, 80, 60, 50, 40, 30, 20, 14, 8].map { columns in
      var board = Board.withAccount(columns: columns, words: Catalog(language))
      board.account(.live(real: -1234.5))
      if !isLive {
        let retry = Retry(attempt: 2, time: board.now.wall + 4000, reason: Self.unauthorized)
        board.updateFreshness(.locked, connection: .waiting(retry))
      }
      return view(board.state, now: board.now).rows[0].description
    }
    let text = lines.joined(separator: "\n")
    let name = "\(language.rawValue)-account-header\(isLive ? "" : "-waiting")"
    #expect(text == Golden.text(name, recording: text))
  }

  @Test(
    "Rows fill the width, wide characters stay whole and dialog borders are straight at any size",
    arguments: Language.allCases, Scene.allCases)
  func sizes(language: Language, scene: Scene) {
    for columns in Array(1...48) + [60, 62, 80, 81, 120, 200] {
      for rows in [3, 10, 24] {
        let board = Self.board(scene, language, rows: rows, columns: columns)
        let frame = view(board.state, now: board.now)
        #expect(frame.rows.allSatisfy { $0.width == columns && $0.isWhole }, "\(columns)x\(rows): \(frame.text)")
        #expect(frame.boxIsStraight, "\(columns)x\(rows): \(frame.text)")
      }
    }
  }

  @Test("No text is truncated on 80 columns", arguments: Language.allCases, Scene.allCases)
  func whole(language: Language, scene: Scene) {
    let board = Self.board(scene, language, rows: 24, columns: 80)
    let busy = Catalog(language)(.accountFormBusy)
    for row in view(board.state, now: board.now).rows where !row.description.contains("Brighton") {
      #expect(!row.description.replacing(busy, with: "").contains("…"), "\(row)")
    }
  }

  @Test("The interface shows only ASCII characters with ASCII glyphs", arguments: Language.allCases, Scene.allCases)
  func ascii(language: Language, scene: Scene) {
    let board = Self.board(scene, language, rows: 24, columns: 80, glyphs: .ascii)
    let frame = view(board.state, now: board.now, glyphs: .ascii)
    // The screen replaces non-ASCII characters in names of matches and users.
    for row in frame.rows
    where !row.description.contains(" - ") && !row.description.contains("王") {
      #expect(row.cells.allSatisfy { $0.scalar < 0x80 }, "\(row)")
    }
  }

  @Test("The answer keys of a question are distinct single letters other than q")
  func letters() {
    for language in Language.allCases {
      let words = Catalog(language)
      for answers in [[MessageKey.accountGoHomeKey, .accountLoginKey], [.accountStayKey, .accountLogOutKey]] {
        let keys = answers.map { words($0) }
        #expect(Set(keys).count == 2 && !keys.contains("q"))
        #expect(keys.allSatisfy { $0.count == 1 && ("a"..."z").contains($0) }, "\(keys)")
      }
    }
  }

  @Test(
    "The footer always shows the help and quit keys on 80 columns",
    arguments: Language.allCases, [true, false])
  func footer(language: Language, isLoggedIn: Bool) {
    let words = Catalog(language)
    var board = Board.withAccount(canReconnect: true, canEndSession: true, words: words)
    if isLoggedIn { board.account(.live()) }
    board.paint()
    for hint in [MessageKey.hintHelp, .hintQuit] { #expect(board.line(23).contains(words(hint)), "\(board.line(23))") }
  }

  @Test("Amounts use the language's format and keep all digits")
  func amounts() throws {
    let amount = try #require(Decimal(string: "-1234567.125"))
    #expect(Catalog(.french).amount(amount, "EUR") == "-1\u{202F}234\u{202F}567,125 EUR")
    #expect(Catalog(.traditionalChinese).amount(amount, "TWD") == "-1,234,567.125 TWD")
    #expect(Catalog(.french).ascii.amount(Decimal(string: "1234.5")!, "EUR") == "1 234,50 EUR")
    #expect(
      Catalog(.french).amount(0, "JPY") == "0 JPY" && Catalog(.french).amount(Decimal(-0.5), "KWD") == "-0,500 KWD")
  }
}

extension Board {
  fileprivate mutating func end(_ cause: SessionEnd.Cause) {
    account(.live())
    account(.live().ended(cause))
  }
}

extension Frame {
  /// True if the sides of the box on the screen are below its corners, or if there is no box.
  fileprivate var boxIsStraight: Bool {
    func row(with corner: Unicode.Scalar) -> (row: Int, column: Int)? {
      for (at, row) in rows.enumerated() {
        if let column = row.cells.firstIndex(where: { $0.scalar == corner.value }) { return (at, column) }
      }
      return nil
    }
    guard let (top, left) = row(with: "┌"), let (bottom, right) = row(with: "┘") else {
      return row(with: "┌") == nil && row(with: "│") == nil
    }
    let corners = [(top, right, "┐"), (bottom, left, "└")] as [(Int, Int, Unicode.Scalar)]
    let sides = (top + 1..<bottom).flatMap { [($0, left, "│"), ($0, right, "│")] as [(Int, Int, Unicode.Scalar)] }
    return (corners + sides).allSatisfy { rows[$0.0].cells[$0.1].scalar == $0.2.value }
  }
}
