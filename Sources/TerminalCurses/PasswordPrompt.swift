import CLibrary
import CTerminalGuard

/// A password prompt on the terminal of this process, for use before the screen is taken over.
package enum PasswordPrompt {
  private static let mostBytes = 1024

  /// Reads a line without echo; nil at the end of the input. A signal that ends or stops the program restores the echo
  /// first.
  ///
  /// - Throws: `TerminalError` if there is no terminal, or if the answer is too long or not UTF-8.
  package static func ask(_ prompt: String) throws(TerminalError) -> String? {
    let tty = try openTTY()
    defer { close(tty) }
    var line = [CChar](repeating: 0, count: mostBytes)
    defer { line.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) } }
    let count = terminal_ask_secret(tty, prompt, &line, line.count)
    guard count >= 0 else {
      if errno == ENODATA { return nil }
      throw errno == EMSGSIZE ? .answerIsUnfit(mostBytes: mostBytes - 1) : .noResources(errno: errno)
    }
    guard let text = String(validating: line[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) else {
      throw .answerIsUnfit(mostBytes: mostBytes - 1)
    }
    return text
  }
}
