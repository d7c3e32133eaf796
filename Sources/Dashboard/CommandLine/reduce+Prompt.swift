import Localization
import TerminalCore

extension BoardState {
  /// Opens a prompt with an initial text. The default is the current filter for a filter prompt, and empty for a
  /// command.
  mutating func openPrompt(_ kind: Prompt.Kind, text: String? = nil) {
    statusBar.message = nil
    // The matching rows are to be visible.
    if kind == .find { overlay = nil }
    prompt = Prompt(
      kind, text: text ?? (kind == .find ? filterState.text : ""), history: history[kind] ?? PromptHistory())
    suggest()
  }

  /// Handles a key while a prompt is open. Keys that do not edit the line have no effect, except Ctrl-C, which quits.
  mutating func press(_ key: Key, in prompt: Prompt, now: FrameTime) -> [Effect] {
    if key == .control("c") { return [.quit] }
    var prompt = prompt
    let outcome = prompt.handle(key)
    self.prompt = prompt
    switch outcome {
    case .edited: edited(now: now)
    case .completed(let backwards):
      prompt.complete(with: prompt.completion ?? completion(in: prompt), backwards: backwards)
      self.prompt = prompt
      if prompt.kind == .find { edited(now: now) } else if prompt.completion == nil { suggest() }
    case .left:
      self.prompt = nil
      if prompt.kind == .find { clearFound(now: now) }
    case .taken: return apply(prompt, now: now)
    case nil: break
    }
    return []
  }

  private mutating func edited(now: FrameTime) {
    guard let prompt else { return }
    if prompt.kind == .find { find(prompt.text, now: now) } else { suggest() }
  }

  private mutating func suggest() {
    guard var prompt, prompt.kind == .command else { return }
    prompt.suggest(suggestion(in: prompt))
    self.prompt = prompt
  }

  private mutating func apply(_ prompt: Prompt, now: FrameTime) -> [Effect] {
    let text = prompt.text
    switch prompt.kind {
    case .find:
      find(text, now: now)
      if let error = filterState.error {
        self.prompt?.refuse(error)
        return []
      }
      close(prompt, text)
      return []
    case .command:
      do {
        close(prompt, text)
        return try run(text, now: now)
      } catch {
        self.prompt = prompt
        self.prompt?.refuse(error)
        return []
      }
    }
  }

  private mutating func close(_ prompt: Prompt, _ text: String) {
    history[prompt.kind, default: PromptHistory()].add(text)
    self.prompt = nil
  }
}
