import AccountModel
import CLibrary
import Localization
import ProgramArguments
import TerminalCurses

/// The sources of a password. An argument is not among them, because every user of the machine can read it.
enum Passwords {
  static let variable = "TOTEBOARD_PASSWORD"

  private static let maxBytes = 4096

  /// Throws if the descriptor is not open. Call it before the program opens descriptors: one could get the number.
  static func check(_ descriptor: Int32?) throws {
    guard let descriptor, fcntl(descriptor, F_GETFD) < 0 else { return }
    throw CommandError(.failurePasswordUnread, "\(descriptor)", LocalizedMessage.ofLastCall)
  }

  /// Returns the first password of: the descriptor, the environment, a prompt on the terminal.
  static func password(of user: String, given: Secret?, descriptor: Int32?) throws -> Secret {
    if let descriptor { return try line(of: descriptor) }
    if let given { return given }
    let prompt = CLILanguage.words(.passwordPrompt, user)
    do throws(PasswordPromptError) {
      if let password = try PasswordPrompt.ask("\(prompt) "), !password.isEmpty { return Secret(password) }
    } catch {
      switch error {
      case .noTerminal: break
      case .answerIsUnfit: throw CommandError(.passwordUnfit, PasswordPrompt.maxBytes)
      case .noResources(let errno):
        throw CommandError(.passwordTerminalUnread, LocalizedMessage.foreign(String(cString: strerror(errno))))
      }
    }
    throw CommandError(.failureNoPassword)
  }

  /// Returns the password of the environment and removes it there; nil if there is none.
  static func consumeFromEnvironment() -> Secret? {
    guard let value = getenv(variable) else { return nil }
    let password = Secret(String(cString: value))
    // NB: the system shows this memory as the environment of the process, even after unsetenv.
    memset(value, CInt(UInt8(ascii: "*")), strlen(value))
    unsetenv(variable)
    return password.text.isEmpty ? nil : password
  }

  /// Returns the first line of a descriptor.
  private static func line(of descriptor: Int32) throws -> Secret {
    var bytes = [UInt8](repeating: 0, count: maxBytes)
    defer { bytes.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) } }
    var count = 0
    while count < bytes.count, !bytes[..<count].contains(UInt8(ascii: "\n")) {
      let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw CommandError(.failurePasswordUnread, "\(descriptor)", LocalizedMessage.ofLastCall) }
      if more == 0 { break }
      count += more
    }
    if descriptor > 2 { close(descriptor) }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    guard count < bytes.count, let text = String(validating: line, as: UTF8.self) else {
      throw CommandError(.failurePasswordUnfit, "\(descriptor)")
    }
    guard !text.isEmpty else { throw CommandError(.failureNoPassword) }
    return Secret(text)
  }
}
