import Localization
import TerminalCore

/// The prompt at the bottom of the board, and the lines entered in earlier prompts.
struct PromptBar: Sendable {
  enum Action {
    case open(Prompt.Kind, text: String)
    case keyPressed(Key)
    /// The entered line is valid.
    case accepted(Prompt)
    /// The entered line has an error. The prompt stays open, or opens again.
    case refused(Prompt, FilterError)
  }

  /// A request of the prompt to the board.
  enum Request {
    case find(String)
    case clearFilter
    /// Searches the help. An empty text ends the search.
    case search(String)
    /// The line was entered. The prompt stays open until it is accepted or refused.
    case enter(Prompt)
  }

  private(set) var prompt: Prompt?
  private var histories: [Prompt.Kind: PromptHistory] = [:]

  mutating func reduce(_ action: Action, _ completer: Completer) -> Request? {
    switch action {
    case .open(let kind, let text):
      prompt = Prompt(kind, text: text, history: histories[kind] ?? PromptHistory())
      suggest(completer)
    case .keyPressed(let key): return press(key, completer)
    case .accepted(let prompt):
      histories[prompt.kind, default: PromptHistory()].add(prompt.text)
      self.prompt = nil
    case .refused(let prompt, let error):
      self.prompt = prompt
      self.prompt?.refuse(error)
    }
    return nil
  }

  private mutating func press(_ key: Key, _ completer: Completer) -> Request? {
    guard var prompt else { return nil }
    let outcome = prompt.handle(key)
    self.prompt = prompt
    switch outcome {
    case .edited:
      suggest(completer)
      return prompt.requestWhileTyped
    case .completed(let backwards):
      prompt.complete(with: prompt.completion ?? completer.completion(in: prompt), backwards: backwards)
      self.prompt = prompt
      if prompt.completion == nil { suggest(completer) }
      return prompt.requestWhileTyped
    case .left:
      self.prompt = nil
      return prompt.requestWhenLeft
    case .taken: return .enter(prompt)
    case nil: break
    }
    return nil
  }

  /// Shows the completions at the cursor of a command.
  private mutating func suggest(_ completer: Completer) {
    if let prompt, prompt.kind == .command { self.prompt?.completion = completer.suggestion(in: prompt) }
  }
}

extension Prompt {
  /// The request after each change of the line.
  fileprivate var requestWhileTyped: PromptBar.Request? {
    switch kind {
    case .find: .find(text)
    case .search: .search(text)
    case .command: nil
    }
  }

  /// The request when the line is left without being entered.
  fileprivate var requestWhenLeft: PromptBar.Request? {
    switch kind {
    case .find: .clearFilter
    case .search: .search("")
    case .command: nil
    }
  }
}
