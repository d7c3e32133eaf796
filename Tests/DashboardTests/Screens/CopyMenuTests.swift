import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

@Suite("Copying a row or an outcome")
struct CopyMenuTests {
  private static let template = "https://www.example.com/{match}?n={name}&h={home}"

  private func board(rows: Int = 24, columns: Int = 80, link: String? = template) throws -> Board {
    var board = Board(rows: rows, columns: columns)
    board.state.settings.link = try link.map { try LinkTemplate($0) }
    board.fill()
    board.paint()
    return board
  }

  private func opened(rows: Int = 24, columns: Int = 80, link: String? = template) throws -> Board {
    var board = try board(rows: rows, columns: columns, link: link)
    let match = RichMatch().match
    board.openMatch(match)
    board.updateMatch(match)
    board.paint()
    board.effects = []
    return board
  }

  @Test("y copies the row, or the selected outcome of the open match")
  func copy() throws {
    var board = try board()
    board.type("y")
    #expect(board.copied == ["Ajax - Porto  2.45  3.10  2.90  7.6 %"])
    board = try opened(columns: 160)
    board.type("jy")
    #expect(board.copied == ["Ajax - Porto  Match Result  draw  3.10"])
  }

  @Test("A copied price that is suspended or may be out of date is marked")
  func deadPrices() throws {
    var board = try opened()
    var rich = RichMatch()
    rich.updates = [FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)]
    board.updateMatch(rich.match)
    board.type("y")
    board.updateMatch(RichMatch().match)
    board.updateMatch(grade: .locked)
    board.type("y")
    #expect(board.copied == ["susp", "2.45?"].map { "Ajax - Porto  Match Result  home  \($0)" })
  }

  @Test("The menu copies each part of a row by its number")
  func row() throws {
    for (key, text) in [
      ("1", "100"), ("2", "2.45  3.10  2.90"), ("3", "Ajax - Porto"),
      ("4", "https://www.example.com/100?n=Ajax%20-%20Porto&h=Ajax"),
    ] {
      var board = try board()
      board.type("Y" + key)
      #expect(board.copied == [text] && board.state.copyMenu == nil)
    }
  }

  @Test("The menu copies each part of an outcome, also when it is selected with the arrows")
  func outcome() throws {
    let expected = [
      "100", "110", "111", "2.45", "Ajax - Porto  Match Result  home",
      "https://www.example.com/100/110/111",
    ]
    for index in expected.indices {
      var board = try opened(link: "https://www.example.com/{match}/{market}/{outcome}")
      board.type("Y")
      for _ in 0..<index { board.press(.down) }
      board.press(.enter)
      #expect(board.copied == [expected[index]])
    }
  }

  @Test("Without a template, or without an outcome that it needs, the menu says what to do")
  func noLink() throws {
    var board = try board(link: nil)
    board.type("Y")
    board.paint()
    #expect(board.text.contains("set 'link' in the configuration"))
    board.type("4")
    #expect(board.copied == [] && board.state.statusBar.message?.isWarning == true)
    board = try self.board(link: "https://x/{outcome}")
    board.type("Y4")
    #expect(board.copied == [])
    #expect(board.state.statusBar.message?.sentence.description.contains("select an outcome") == true)
  }

  @Test("The texts follow the prices, and a match that is gone has nothing to copy")
  func changes() throws {
    var board = try board()
    board.type("Y")
    board.update(.football(odds: ["9", "3.1", "2.9"]))
    board.type("2")
    #expect(board.copied == ["9.00  3.10  2.90"])
    board.effects = []
    board.type("Y")
    board.update(removed: [100])
    board.type("1")
    #expect(board.copied == [] && board.state.copyMenu == nil)
  }

  @Test("Esc and Y close the menu, other keys do nothing, q quits, and a click copies")
  func keys() throws {
    var board = try board()
    board.type("Ys9?")
    #expect(board.state.copyMenu != nil && board.state.overlay == nil)
    board.press(.escape)
    #expect(board.state.copyMenu == nil)
    board.type("YY")
    #expect(board.state.copyMenu == nil && board.copied == [])
    board.type("Y")
    board.paint()
    let lines = board.text.split(separator: "\n", omittingEmptySubsequences: false)
    let row = lines.firstIndex { $0.contains("3 name") }!
    board.send(.mousePressed(MousePress(.left, row: row, column: 40)))
    #expect(board.copied == ["Ajax - Porto"])
    board.type("Yq")
    #expect(board.effects.last == .quit)
  }

  @Test("Values in a link are URL-encoded, and decode to the same text")
  func encoding() throws {
    var random = SeededRandom(seed: 5)
    let alphabet = Array("aZ09-._~ /?&=#%+:@'\"<>é北🏆\u{0}\n")
    for _ in 0..<500 {
      let text = String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
      let link = try LinkTemplate("https://x/{name}").link([.name: text])!
      let encoded = link.dropFirst("https://x/".count)
      #expect(
        encoded.utf8.allSatisfy {
          Array("%-._~".utf8).contains($0) || Character(Unicode.Scalar($0)).isLetter
            || Character(Unicode.Scalar($0)).isNumber
        })
      #expect(decoded(encoded) == Array(text.utf8))
    }
  }

  private func decoded(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)!)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  @Test(
    "A template that is not a web address, or has an unknown name, is refused",
    arguments: ["", "x", "ftp://x", "https://", "https://x/{id}", "https://x/ {match}", "javascript:{name}"])
  func refused(template: String) {
    #expect(throws: LinkTemplateError.self) { try LinkTemplate(template) }
  }

  @Test("The menu has its golden text at each size", arguments: [(24, 80), (60, 200), (10, 40), (10, 20), (5, 20)])
  func sizes(rows: Int, columns: Int) throws {
    for isOpen in [false, true] {
      var board = isOpen ? try opened(rows: rows, columns: columns) : try board(rows: rows, columns: columns)
      board.press(.character("Y"), .down)
      board.paint()
      let name = "copy-\(isOpen ? "outcome" : "row")-\(columns)x\(rows)"
      #expect(board.text == Golden.text(name, recording: board.text), "\(name)")
    }
  }
}
