package import Wording

/// Why the board cannot be shown on this terminal, or has no answer from it.
package enum TerminalError: TellableError, Hashable {
  /// Standard output is a file or a pipe.
  case outputIsNoTerminal
  /// The process has no terminal to read keys from, or it cannot be opened; the system's `errno`.
  case cannotOpen(path: String, errno: Int32)
  /// The environment does not say which terminal this is.
  case typeIsUnset
  /// No terminal of that type is known here.
  case unknownType(String)
  /// Terminals of that type cannot move the cursor.
  case cannotMoveCursor(String)
  /// What was typed is no UTF-8, or longer than that.
  case answerIsUnfit(mostBytes: Int)
  /// The system refused a resource that the screen needs.
  case noResources(errno: Int32)

  /// The message for the user, with the remedy.
  package var sentence: Sentence {
    switch self {
    case .outputIsNoTerminal: Sentence(.terminalIsNone, Phrase.terminalHeadless)
    case .cannotOpen(let path, let errno): Sentence(.terminalUnopened, path, "\(errno)", Phrase.terminalHeadless)
    case .typeIsUnset: Sentence(.terminalTypeUnset, Phrase.terminalHeadless)
    case .unknownType(let type): Sentence(.terminalTypeUnknown, type, Phrase.terminalHeadless)
    case .cannotMoveCursor(let type): Sentence(.terminalCursorFixed, type, Phrase.terminalHeadless)
    case .answerIsUnfit(let mostBytes): Sentence(.passwordUnfit, mostBytes)
    case .noResources(let errno): Sentence(.terminalNoResources, "\(errno)", Phrase.terminalHeadless)
    }
  }
}
