import TerminalCore

/// The content of the prompt row.
struct PromptLine: Hashable {
  var kind: Prompt.Kind
  var characters: [Character]
  var cursor: Int
  /// The result of the filter, shown at the right if there is room.
  var found: FoundLine?
  /// The hint, shown in the same row if there is no separate row above the prompt.
  var aside: PromptHint?
}

/// A hint for the line being typed.
enum PromptHint: Hashable {
  case error(FilterError)
  case completion(Completion)
  case command(NamedCommand)
}

extension BoardState {
  /// Returns the row of the screen that holds the prompt, or nil if no prompt is open.
  func promptLine(_ layout: Layout) -> Int? { prompt == nil ? nil : layout.hints ?? layout.size.rows - 1 }

  func promptLine(_ prompt: Prompt, _ layout: Layout) -> PromptLine {
    PromptLine(
      kind: prompt.kind, characters: prompt.characters, cursor: prompt.cursor,
      found: prompt.kind == .find ? foundLine : nil, aside: layout.hints == nil ? promptAside : nil)
  }

  /// The hint for the line being typed, or nil if there is none or no prompt is open.
  var promptAside: PromptHint? {
    guard let prompt else { return nil }
    if let error = prompt.error { return .error(error) }
    if let completion = prompt.completion, !completion.says(prompt.text) { return .completion(completion) }
    if prompt.kind == .find { return finder.error.map { .error($0) } }
    return command(in: prompt).map { .command($0) }
  }
}

extension Completion {
  /// Returns true if the only candidate is already in the text, so that there is nothing to choose.
  fileprivate func says(_ text: String) -> Bool {
    candidates.count == 1 && text.hasSuffix(candidates[0].trimmedAtEnd)
  }
}

extension String {
  var trimmedAtEnd: String { last == " " ? String(dropLast()) : self }
}
