package import Localization

/// Why the board cannot be shown on this terminal, or has no answer from it.
package enum TerminalError: LocalizedMessageError, Hashable {
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
  package var sentence: LocalizedMessage {
    switch self {
    case .outputIsNoTerminal: LocalizedMessage(.terminalIsNone, MessageKey.terminalHeadless)
    case .cannotOpen(let path, let errno):
      LocalizedMessage(.terminalUnopened, path, "\(errno)", MessageKey.terminalHeadless)
    case .typeIsUnset: LocalizedMessage(.terminalTypeUnset, MessageKey.terminalHeadless)
    case .unknownType(let type): LocalizedMessage(.terminalTypeUnknown, type, MessageKey.terminalHeadless)
    case .cannotMoveCursor(let type): LocalizedMessage(.terminalCursorFixed, type, MessageKey.terminalHeadless)
    case .answerIsUnfit(let mostBytes): LocalizedMessage(.passwordUnfit, mostBytes)
    case .noResources(let errno): LocalizedMessage(.terminalNoResources, "\(errno)", MessageKey.terminalHeadless)
    }
  }
}
