import TerminalCore

/// What the line that is typed says, and what stands beside it.
struct PromptLine: Hashable {
  var kind: Prompt.Kind
  var characters: [Character]
  var cursor: Int
  /// At the right, as far as there is room.
  var found: FoundLine?
  /// There too, where there is no line above for it.
  var aside: PromptHint?
}

/// What helps with the line that is typed.
enum PromptHint: Hashable {
  case error(FilterError)
  case completion(Completion)
  case command(NamedCommand)
}

extension BoardState {
  /// The line of the screen that is typed on, where one is.
  func promptLine(_ layout: Layout) -> Int? { prompt == nil ? nil : layout.hints ?? layout.size.rows - 1 }

  func promptLine(_ prompt: Prompt, _ layout: Layout) -> PromptLine {
    PromptLine(
      kind: prompt.kind, characters: prompt.characters, cursor: prompt.cursor,
      found: prompt.kind == .find ? foundLine : nil, aside: layout.hints == nil ? promptAside : nil)
  }

  /// What helps with the line that is typed; nil where there is nothing to help, or no line.
  var promptAside: PromptHint? {
    guard let prompt else { return nil }
    if let error = prompt.error { return .error(error) }
    if let completion = prompt.completion, !completion.says(prompt.text) { return .completion(completion) }
    if prompt.kind == .find { return finder.error.map { .error($0) } }
    return command(in: prompt).map { .command($0) }
  }
}

extension Completion {
  /// There is nothing to choose from: it stands there already.
  fileprivate func says(_ text: String) -> Bool {
    candidates.count == 1 && text.hasSuffix(candidates[0].trimmedAtEnd)
  }
}

extension String {
  var trimmedAtEnd: String { last == " " ? String(dropLast()) : self }
}
