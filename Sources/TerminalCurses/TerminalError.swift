/// Why the board cannot be shown on this terminal.
package enum TerminalError: Error, Hashable, CustomStringConvertible {
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
  /// The system refused a resource that the screen needs.
  case noResources(errno: Int32)

  /// The message for the user, with the remedy.
  package var description: String {
    switch self {
    case .outputIsNoTerminal:
      "standard output is not a terminal; \(Self.headless)"
    case .cannotOpen(let path, let errno):
      "cannot use the terminal '\(path)' (error \(errno)); \(Self.headless)"
    case .typeIsUnset:
      "TERM is not set; set it to your terminal's type, such as 'xterm-256color', or \(Self.headless)"
    case .unknownType(let type):
      "TERM is '\(type)', which terminfo does not know; set it to a type like 'xterm-256color', or \(Self.headless)"
    case .cannotMoveCursor(let type):
      "TERM is '\(type)', a terminal that cannot move its cursor; \(Self.headless)"
    case .noResources(let errno):
      "cannot set up the screen (error \(errno)); close other programs, or \(Self.headless)"
    }
  }

  private static let headless = "use `toteboard list` or `toteboard changes` instead"
}
