import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The line that is typed, as a value.
struct PromptTests {
  private var prompt = Prompt(.find)

  /// The line with a `|` where its cursor is.
  private var shown: String {
    String(prompt.characters[..<prompt.cursor]) + "|" + String(prompt.characters[prompt.cursor...])
  }

  private mutating func type(_ text: String) {
    for character in text { _ = prompt.handle(.character(character)) }
  }

  @Test("Keys edit the line as in a shell")
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

  @Test("Esc leaves, Enter takes, and so leaves a backspace with nothing to rub out")
  mutating func ends() {
    #expect(prompt.handle(.character("a")) == .edited)
    #expect(prompt.handle(.backspace) == .edited)
    #expect(prompt.handle(.backspace) == .left)
    #expect(prompt.handle(.escape) == .left)
    #expect(prompt.handle(.enter) == .taken)
    #expect(prompt.handle(.insert) == nil)
    #expect(prompt.handle(.control("u")) == nil)
  }

  @Test("A mark goes upon the character before, and both are one")
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

  @Test("What no terminal shows as it is, is not taken; nor is more than there is room for")
  mutating func bounds() {
    for text in ["\u{202E}", "\u{7}", "\u{E000}"] { type(text) }
    #expect(prompt.text.isEmpty)
    type(String(repeating: "a", count: 300))
    for _ in 0..<300 { _ = prompt.handle(.character("\u{301}")) }
    #expect(prompt.text.unicodeScalars.count == Prompt.maxScalars)
  }

  @Test("Up and Down go through what was typed before, and back to what is being typed")
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

  @Test("Tab goes through what fits and back to what was typed; Shift-Tab the other way; a key that edits ends it")
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
    // A single suggestion stays, and the next Tab completes the word after it.
    prompt.complete(with: Completion(3..<10, ["name "]), backwards: false)
    #expect(prompt.completion == nil && shown == "so name |")
    prompt.complete(with: nil, backwards: false)
    #expect(shown == "so name |")
  }

  @Test("Whatever keys are pressed, the cursor is in the line", arguments: 0..<100)
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
