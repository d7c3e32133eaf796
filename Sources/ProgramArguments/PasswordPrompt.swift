import CLibrary
import CTerminalGuard

/// A password prompt on the terminal of this process, for use before the screen is taken over.
package enum PasswordPrompt {
  /// The maximum length of an answer in bytes.
  package static let maxBytes = 1023

  /// Reads a line without echo; nil at the end of the input. Restores the echo if a signal ends or stops the program.
  package static func ask(_ prompt: String) throws(PasswordPromptError) -> String? {
    let tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard tty >= 0 else { throw .noTerminal }
    defer { close(tty) }
    var line = [CChar](repeating: 0, count: maxBytes + 1)
    defer { line.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) } }
    let count = terminal_ask_secret(tty, prompt, &line, line.count)
    guard count >= 0 else {
      if errno == ENODATA { return nil }
      throw errno == EMSGSIZE ? .answerIsUnfit : .noResources(errno: errno)
    }
    guard let text = String(validating: line[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) else {
      throw .answerIsUnfit
    }
    return text
  }
}

/// An error of a password prompt.
package enum PasswordPromptError: Error, Hashable {
  case noTerminal
  /// The answer is not UTF-8, or longer than `PasswordPrompt.maxBytes`.
  case answerIsUnfit
  /// The system refused to read from the terminal, with the system's `errno`.
  case noResources(errno: Int32)
}
