import AccountModel
import ArgumentParser
import CLibrary
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

  /// Asks for the password twice, because typing errors are invisible.
  private func ask() throws -> String {
    let one = Self.unseen("Password for \(name): ")
    guard one == Self.unseen("Repeat password: ") else {
      throw ServerError("the passwords do not match: enter the same one twice")
    }
    return one
  }

  private static func unseen(_ prompt: String) -> String {
    try? FileDescriptorOutput.error(prompt)
    var usual = termios()
    tcgetattr(0, &usual)
    var unseen = usual
    unseen.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(0, TCSAFLUSH, &unseen)
    defer {
      tcsetattr(0, TCSAFLUSH, &usual)
      try? FileDescriptorOutput.error("\n")
    }
    return readLine() ?? ""
  }
}
