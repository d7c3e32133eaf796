import TerminalCore

/// A line editor at the bottom of the board.
struct Prompt: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case find, command
    /// A search in the help.
    case search

    /// The character before the line.
    var sign: Character { self == .command ? ":" : "/" }
  }

  enum Outcome: Hashable {
    /// The text or the cursor has changed.
    case edited
    /// Completion is requested: call `complete(with:backwards:)`.
    case completed(backwards: Bool)
    /// The line was entered.
    case taken
    /// The prompt was closed without entering the line.
    case left
  }

  /// The maximum length in code points. Further typed characters are ignored.
  static let maxScalars = 512

  let kind: Kind
  private(set) var characters: [Character] = []
  /// The index at which the next character is inserted.
  private(set) var cursor = 0
  var completion: Completion?
  var error: FilterError?
  private var history: PromptHistory

  init(_ kind: Kind, text: String = "", history: PromptHistory = PromptHistory()) {
    self.kind = kind
    self.history = history
    replace(with: text)
  }

  var text: String { String(characters) }

  /// Handles a key. Returns nil if the key has no effect.
  mutating func handle(_ key: Key) -> Outcome? {
    switch key {
    case .escape: return .left
    case .enter: return .taken
    case .tab: return .completed(backwards: false)
    case .backTab: return .completed(backwards: true)
    // Backspace on an empty line closes the prompt.
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

  /// Inserts a character at the cursor. A combining mark joins the character before it.
  private mutating func insert(_ character: Character) {
    guard text.unicodeScalars.count < Self.maxScalars else { return }
    let start = String(characters[..<cursor]) + String(character)
    let end = String(characters[cursor...])
    characters = Array(start + end)
    cursor = min(start.count, characters.count)
  }

  private mutating func remove(_ range: Range<Int>) { write("", over: range) }

  /// Replaces a range of characters and moves the cursor behind the new text.
  private mutating func write(_ text: String, over range: Range<Int>) {
    characters.replaceSubrange(range, with: Array(text))
    cursor = range.lowerBound + text.count
  }

  private mutating func replace(with text: String) {
    characters = Array(text).filter(\.isShowable)
    cursor = characters.count
  }

  /// The start of the word before the cursor, skipping white space between them.
  private var startOfWord: Int {
    let end = characters[..<cursor].lastIndex { !$0.isWhitespace }.map { $0 + 1 } ?? 0
    return characters[..<end].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
  }

  /// Inserts the next candidate, or the previous one if `backwards` is true. After the last one, restores the typed
  /// text.
  mutating func complete(with completion: Completion?, backwards: Bool) {
    guard var completion, !completion.candidates.isEmpty else { return }
    let old = completion.range
    completion.step(backwards: backwards, typed: String(characters[old]))
    write(completion.text, over: old)
    completion.range = old.lowerBound..<cursor
    // A single candidate is final: the next Tab completes the text after it.
    self.completion = completion.candidates.count == 1 ? nil : completion
    error = nil
  }

  /// Keeps the line and shows an error in it. The cursor moves to the error.
  mutating func refuse(_ error: FilterError) {
    self.error = error
    completion = nil
    cursor = min(error.position, characters.count)
  }
}

/// The candidates for a part of a line.
struct Completion: Hashable, Sendable {
  /// The range that a candidate replaces, in characters.
  var range: Range<Int>
  let candidates: [String]
  /// The index of the inserted candidate, or nil if the typed text is in place.
  private(set) var chosen: Int?
  private var typed: String?

  init(_ range: Range<Int>, _ candidates: [String]) {
    self.range = range
    self.candidates = candidates
  }

  fileprivate var text: String { chosen.map { candidates[$0] } ?? typed ?? "" }

  fileprivate mutating func step(backwards: Bool, typed: String) {
    if self.typed == nil { self.typed = typed }
    switch (chosen, backwards) {
    case (nil, false): chosen = 0
    case (nil, true): chosen = candidates.count - 1
    case (let index?, false): chosen = index + 1 < candidates.count ? index + 1 : nil
    case (let index?, true): chosen = index > 0 ? index - 1 : nil
    }
  }
}

/// The lines entered before, oldest first.
struct PromptHistory: Hashable, Sendable {
  static let limit = 50

  private(set) var lines: [String] = []
  /// The index of the line that is shown, or nil if none is.
  private var index: Int?
  /// The typed text, saved while an earlier line is shown.
  private var draft = ""

  mutating func add(_ line: String) {
    index = nil
    draft = ""
    if line.isEmpty { return }
    lines.removeAll { $0 == line }
    lines = (lines + [line]).suffix(Self.limit)
  }

  fileprivate mutating func earlier(than line: String) -> String? {
    let next = (index ?? lines.count) - 1
    guard next >= 0 else { return nil }
    if index == nil { draft = line }
    index = next
    return lines[next]
  }

  fileprivate mutating func later() -> String? {
    guard let now = index else { return nil }
    index = now + 1 < lines.count ? now + 1 : nil
    return index.map { lines[$0] } ?? draft
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
