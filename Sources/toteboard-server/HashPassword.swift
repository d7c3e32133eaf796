import AccountModel
import ArgumentParser
import CLibrary
import CTerminalGuard
import FeedServer

/// The command `toteboard-server hash-password NAME`: prints a line for the users file.
struct HashPassword: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash-password", abstract: "Print a user's line for the --users file.",
    discussion: "Prompts for the password without echoing it, or reads it from the first line of standard input.")

  @Argument(help: "User name: 1 to 64 letters, digits or . _ - @")
  var name: String

  func validate() throws {
    if !UserList.isName(name) { throw ValidationError("the name '\(name)' is not valid: \(UserList.nameRemedy)") }
  }

  mutating func run() throws {
    let password = isatty(0) == 1 ? try ask() : readLine() ?? ""
    if password.isEmpty { throw ServerError("the password is empty: provide one on standard input") }
    print("\(name):\(try PasswordHash(of: Secret(password)).text)")
  }

  private static let maxBytes = 1024

  /// Asks for the password twice, because typing errors are invisible.
  private func ask() throws -> String {
    let tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard tty >= 0 else { throw ServerError("there is no terminal: provide the password on standard input") }
    defer { close(tty) }
    let one = try Self.unseen("Password for \(name): ", on: tty)
    guard one == (try Self.unseen("Repeat password: ", on: tty)) else {
      throw ServerError("the passwords do not match: enter the same one twice")
    }
    return one
  }

  /// Reads a line without echo; empty at the end of the input. A signal that ends or stops the program restores the
  /// echo.
  private static func unseen(_ prompt: String, on tty: CInt) throws -> String {
    var line = [CChar](repeating: 0, count: maxBytes)
    defer { line.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) } }
    let count = terminal_ask_secret(tty, prompt, &line, line.count)
    if count < 0, errno == ENODATA { return "" }
    guard count >= 0, let text = String(validating: line[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) else {
      throw ServerError("the password is longer than \(maxBytes - 1) bytes or not UTF-8: choose another one")
    }
    return text
  }
}
