import Localization
import OddsFeed
import TerminalCurses

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a password comes from: never an argument, which every user of the machine can read.
enum Passwords {
  static let variable = "TOTEBOARD_PASSWORD"

  private static let mostBytes = 4096

  /// A descriptor that is not open may be one of our own later: ask before there are any.
  static func check(_ descriptor: Int32?) throws {
    guard let descriptor, fcntl(descriptor, F_GETFD) < 0 else { return }
    throw Failure(.failurePasswordUnread, "\(descriptor)", LocalizedMessage.ofLastCall)
  }

  /// That of the descriptor, of the environment, or what is typed on the terminal, in this order.
  static func password(of user: String, given: Secret?, descriptor: Int32?) throws -> Secret {
    if let descriptor { return try line(of: descriptor) }
    if let given { return given }
    let prompt = CLILanguage.words(.passwordPrompt, user)
    guard let password = try PasswordPrompt.ask("\(prompt) "), !password.isEmpty else {
      throw Failure(.failureNoPassword)
    }
    return Secret(password)
  }

  /// The environment's, which it has no longer afterwards; nil where it has none.
  static func takeFromEnvironment() -> Secret? {
    guard let value = getenv(variable) else { return nil }
    let password = Secret(String(cString: value))
    // NB: what the system shows of a process is this very text, whatever `environ` says.
    memset(value, CInt(UInt8(ascii: "*")), strlen(value))
    unsetenv(variable)
    return password.text.isEmpty ? nil : password
  }

  /// The first line of what is open there.
  private static func line(of descriptor: Int32) throws -> Secret {
    var bytes = [UInt8](repeating: 0, count: mostBytes)
    defer { bytes.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) } }
    var count = 0
    while count < bytes.count, !bytes[..<count].contains(UInt8(ascii: "\n")) {
      let more = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress! + count, buffer.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw Failure(.failurePasswordUnread, "\(descriptor)", LocalizedMessage.ofLastCall) }
      if more == 0 { break }
      count += more
    }
    if descriptor > 2 { close(descriptor) }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    guard count < bytes.count, let text = String(validating: line, as: UTF8.self) else {
      throw Failure(.failurePasswordUnfit, "\(descriptor)")
    }
    guard !text.isEmpty else { throw Failure(.failureNoPassword) }
    return Secret(text)
  }
}
