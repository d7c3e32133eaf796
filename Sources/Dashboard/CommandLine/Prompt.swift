import TerminalCore

/// A line that is typed at the bottom of the board.
struct Prompt: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// What is to be found among the rows.
    case find
    /// A command by its name.
    case command

    /// What stands before the line.
    var sign: Character { self == .find ? "/" : ":" }
  }

  enum Outcome: Hashable {
    /// The line is another.
    case edited
    /// It is to be completed: `complete(with:backwards:)`.
    case completed(backwards: Bool)
    case taken
    case left
  }

  /// In code points. More is not taken, whatever is pasted.
  static let mostScalars = 512

  let kind: Kind
  private(set) var characters: [Character] = []
  /// Before which of the characters the next one comes.
  private(set) var cursor = 0
  private(set) var completion: Completion?
  /// What is wrong with the line.
  var error: FilterError?
  private var history: PromptHistory

  init(_ kind: Kind, text: String = "", history: PromptHistory = PromptHistory()) {
    (self.kind, self.history) = (kind, history)
    replace(with: text)
  }

  var text: String { String(characters) }

  /// What a key comes to, if it does anything.
  mutating func take(_ key: Key) -> Outcome? {
    switch key {
    case .escape: return .left
    case .enter: return .taken
    case .tab: return .completed(backwards: false)
    case .backTab: return .completed(backwards: true)
    // Nothing to rub out: the sign before it goes.
    case .backspace where characters.isEmpty: return .left
    default: break
    }
    let before = characters
    edit(key)
    if characters == before, !key.movesCursor { return nil }
    completion = nil
    error = nil
    return .edited
  }

  private mutating func edit(_ key: Key) {
    switch key {
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .backspace: if cursor > 0 { remove(cursor - 1..<cursor) }
    case .delete, .control("d"): if cursor < characters.count { remove(cursor..<cursor + 1) }
    case .control("u"): remove(0..<cursor)
    case .control("k"): remove(cursor..<characters.count)
    case .control("w"): remove(startOfWord..<cursor)
    case .up, .control("p"): if let line = history.earlier(than: text) { replace(with: line) }
    case .down, .control("n"): if let line = history.later() { replace(with: line) }
    case .character(let character) where character.isShowable: insert(character)
    default: break
    }
  }

  /// A mark that is typed goes upon the character before it.
  private mutating func insert(_ character: Character) {
    guard text.unicodeScalars.count < Self.mostScalars else { return }
    let start = String(characters[..<cursor]) + String(character)
    let end = String(characters[cursor...])
    characters = Array(start + end)
    cursor = min(start.count, characters.count)
  }

  private mutating func remove(_ range: Range<Int>) { write("", over: range) }

  /// Puts text in the place of characters, and the cursor behind it.
  private mutating func write(_ text: String, over range: Range<Int>) {
    characters.replaceSubrange(range, with: Array(text))
    cursor = range.lowerBound + text.count
  }

  private mutating func replace(with text: String) {
    characters = Array(text).filter(\.isShowable)
    cursor = characters.count
  }

  /// Where the word before the cursor begins, what is between them not counted.
  private var startOfWord: Int {
    let blanks = characters[..<cursor].lastIndex { !$0.isWhitespace } ?? -1
    return (characters[..<(blanks + 1)].lastIndex(where: \.isWhitespace) ?? -1) + 1
  }

  /// Puts the next of what fits in the place of what it completes; after the last comes what was typed. One
  /// that is alone stays.
  mutating func complete(with completion: Completion?, backwards: Bool) {
    guard var completion, !completion.candidates.isEmpty else { return }
    let old = completion.range
    completion.step(backwards: backwards, typed: String(characters[old]))
    write(completion.text, over: old)
    completion.range = old.lowerBound..<cursor
    // What can only be that is done with: the next Tab is for what follows.
    self.completion = completion.candidates.count == 1 ? nil : completion
    error = nil
  }

  /// Shows what could be typed here.
  mutating func suggest(_ completion: Completion?) { self.completion = completion }

  /// Stays as it is, with what is wrong: the cursor goes there.
  mutating func refuse(_ error: FilterError) {
    self.error = error
    completion = nil
    cursor = min(error.position, characters.count)
  }
}

/// What a part of a line could be.
struct Completion: Hashable, Sendable {
  /// What it replaces, in characters.
  var range: Range<Int>
  let candidates: [String]
  /// Which of them stands there; nil where it is what was typed.
  private(set) var chosen: Int?
  private var typed: String?

  init(_ range: Range<Int>, _ candidates: [String]) { (self.range, self.candidates) = (range, candidates) }

  fileprivate var text: String { chosen.map { candidates[$0] } ?? typed ?? "" }

  fileprivate mutating func step(backwards: Bool, typed: String) {
    if self.typed == nil { self.typed = typed }
    switch (chosen, backwards) {
    case (nil, false): chosen = 0
    case (nil, true): chosen = candidates.count - 1
    case (let place?, false): chosen = place + 1 < candidates.count ? place + 1 : nil
    case (let place?, true): chosen = place > 0 ? place - 1 : nil
    }
  }
}

/// The lines that were taken, the newest last.
struct PromptHistory: Hashable, Sendable {
  static let most = 50

  private(set) var lines: [String] = []
  /// Which of them is looked at.
  private var place: Int?
  /// What was typed before one of them was.
  private var draft = ""

  mutating func add(_ line: String) {
    (place, draft) = (nil, "")
    if line.isEmpty { return }
    lines.removeAll { $0 == line }
    lines = (lines + [line]).suffix(Self.most)
  }

  fileprivate mutating func earlier(than line: String) -> String? {
    let next = (place ?? lines.count) - 1
    guard next >= 0 else { return nil }
    if place == nil { draft = line }
    place = next
    return lines[next]
  }

  fileprivate mutating func later() -> String? {
    guard let now = place else { return nil }
    place = now + 1 < lines.count ? now + 1 : nil
    return place.map { lines[$0] } ?? draft
  }
}

extension Key {
  fileprivate var movesCursor: Bool {
    switch self {
    case .left, .right, .home, .end, .control("a"), .control("b"), .control("e"), .control("f"): true
    default: false
    }
  }
}
