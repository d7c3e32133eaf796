import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The text input of a prompt.
struct PromptTests {
  private var prompt = Prompt(.find)

  /// The text with a `|` at the cursor.
  private var shown: String {
    String(prompt.characters[..<prompt.cursor]) + "|" + String(prompt.characters[prompt.cursor...])
  }

  private mutating func type(_ text: String) {
    for character in text { _ = prompt.handle(.character(character)) }
  }

  @Test("Keys edit the text as in a shell")
  mutating func editing() {
    type("ars chel")
    let script: [(Key, String)] = [
      (.left, "ars che|l"), (.control("b"), "ars ch|el"), (.control("f"), "ars che|l"), (.right, "ars chel|"),
      (.right, "ars chel|"), (.home, "|ars chel"), (.left, "|ars chel"), (.backspace, "|ars chel"),
      (.delete, "|rs chel"), (.control("e"), "rs chel|"), (.delete, "rs chel|"), (.backspace, "rs che|"),
      (.control("w"), "rs |"), (.control("w"), "|"), (.character("x"), "x|"), (.control("a"), "|x"),
      (.character("y"), "y|x"), (.control("k"), "y|"), (.character("z"), "yz|"), (.control("u"), "|"),
      (.function(5), "|"), (.pageUp, "|"),
    ]
    for (key, expected) in script {
      _ = prompt.handle(key)
      #expect(shown == expected, "\(key)")
    }
  }

  @Test("Esc leaves the prompt, as does Backspace without text; Enter accepts the text")
  mutating func ends() {
    #expect(prompt.handle(.character("a")) == .edited)
    #expect(prompt.handle(.backspace) == .edited)
    #expect(prompt.handle(.backspace) == .left)
    #expect(prompt.handle(.escape) == .left)
    #expect(prompt.handle(.enter) == .taken)
    #expect(prompt.handle(.insert) == nil)
    #expect(prompt.handle(.control("u")) == nil)
  }

  @Test("A combining mark joins the previous character")
  mutating func marks() {
    type("e")
    _ = prompt.handle(.character("\u{301}"))
    #expect(prompt.characters == ["é"] && prompt.cursor == 1)
    type("北京")
    _ = prompt.handle(.left)
    _ = prompt.handle(.backspace)
    #expect(shown == "é|京")
    _ = prompt.handle(.home)
    _ = prompt.handle(.character("\u{308}"))
    #expect(prompt.cursor <= prompt.characters.count)
  }

  @Test("Characters that a terminal cannot display are ignored, and the length of the text is limited")
  mutating func bounds() {
    for text in ["\u{202E}", "\u{7}", "\u{E000}"] { type(text) }
    #expect(prompt.text.isEmpty)
    type(String(repeating: "a", count: 300))
    for _ in 0..<300 { _ = prompt.handle(.character("\u{301}")) }
    #expect(prompt.text.unicodeScalars.count == Prompt.maxScalars)
  }

  @Test("Up and Down go through the history and back to the text being typed")
  mutating func history() {
    var history = PromptHistory()
    for line in ["one", "two", "", "one", "three"] { history.add(line) }
    #expect(history.lines == ["two", "one", "three"])
    prompt = Prompt(.find, history: history)
    type("new")
    let script: [(Key, String)] = [
      (.down, "new"), (.up, "three"), (.control("p"), "one"), (.up, "two"), (.up, "two"), (.down, "one"),
      (.control("n"), "three"), (.down, "new"), (.down, "new"),
    ]
    for (key, expected) in script {
      _ = prompt.handle(key)
      #expect(prompt.text == expected, "\(key)")
    }
    for number in 0..<100 { history.add("\(number)") }
    #expect(history.lines.count == PromptHistory.limit && history.lines.last == "99")
  }

  @Test("Tab cycles through suggestions and the typed text, Shift-Tab goes back, and an edit ends the cycle")
  mutating func completion() {
    type("so na")
    let all = Completion(3..<5, ["name", "nation"])
    func tab(_ prompt: inout Prompt, backwards: Bool = false) {
      prompt.complete(with: prompt.completion ?? all, backwards: backwards)
    }
    for expected in ["so name|", "so nation|", "so na|", "so name|"] {
      tab(&prompt)
      #expect(shown == expected)
    }
    tab(&prompt, backwards: true)
    tab(&prompt, backwards: true)
    #expect(shown == "so nation|")
    type("x")
    #expect(prompt.completion == nil && shown == "so nationx|")
    // A single suggestion is accepted, so that the next Tab completes the word after it.
    prompt.complete(with: Completion(3..<10, ["name "]), backwards: false)
    #expect(prompt.completion == nil && shown == "so name |")
    prompt.complete(with: nil, backwards: false)
    #expect(shown == "so name |")
  }

  @Test("The cursor stays within the text after any keys", arguments: 0..<100)
  mutating func wild(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let keys: [Key] = [
      .left, .right, .home, .end, .backspace, .delete, .control("w"), .control("k"), .control("u"), .up, .down,
      .character("a"), .character("北"), .character("\u{301}"), .character(" "), .character("🏴"), .character("\u{200D}"),
      .character("🇫"), .character("🇷"),
    ]
    var history = PromptHistory()
    history.add("é a🇫🇷")
    prompt = Prompt(.find, text: "x y", history: history)
    for _ in 0..<60 {
      _ = prompt.handle(keys.randomElement(using: &random)!)
      #expect(0...prompt.characters.count ~= prompt.cursor)
      #expect(prompt.characters == Array(prompt.text), "each is a character still")
    }
  }
}
