package import Localization

/// An error that prevents the use of the terminal.
package enum TerminalError: LocalizedMessageError, Hashable {
  case outputIsNoTerminal
  /// The terminal of the process is missing or cannot be opened; with the system's `errno`.
  case cannotOpen(path: String, errno: Int32)
  /// The variable `TERM` is missing or empty.
  case typeIsUnset
  /// The terminal database has no such type.
  case unknownType(String)
  case cannotMoveCursor(String)
  /// The system refused a resource that the screen needs, with the system's `errno`.
  case noResources(errno: Int32)

  package var sentence: LocalizedMessage {
    switch self {
    case .outputIsNoTerminal: LocalizedMessage(.terminalIsNone, MessageKey.terminalHeadless)
    case .cannotOpen(let path, let errno):
      LocalizedMessage(.terminalUnopened, path, "\(errno)", MessageKey.terminalHeadless)
    case .typeIsUnset: LocalizedMessage(.terminalTypeUnset, MessageKey.terminalHeadless)
    case .unknownType(let type): LocalizedMessage(.terminalTypeUnknown, type, MessageKey.terminalHeadless)
    case .cannotMoveCursor(let type): LocalizedMessage(.terminalCursorFixed, type, MessageKey.terminalHeadless)
    case .noResources(let errno): LocalizedMessage(.terminalNoResources, "\(errno)", MessageKey.terminalHeadless)
    }
  }
}
