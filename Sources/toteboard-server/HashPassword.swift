import AccountModel
import ArgumentParser
import CLibrary
import FeedServer

/// The command `toteboard-server hash-password NAME`: prints a line for the users file.
struct HashPassword: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash-password", abstract: "Print a user's line for the file of --users.",
    discussion: "The password is asked for, without being shown, or read from standard input: its first line.")

  @Argument(help: "The user's name: 1 to 64 of letters, digits, and . _ - @.")
  var name: String

  func validate() throws {
    if !UserList.isName(name) { throw ValidationError("the name '\(name)' is none: \(UserList.nameRemedy)") }
  }

  mutating func run() throws {
    let password = isatty(0) == 1 ? try ask() : readLine() ?? ""
    if password.isEmpty { throw ServerError("the password is empty: give one on standard input") }
    print("\(name):\(try PasswordHash(of: Secret(password)).text)")
  }

  /// Asks for the password twice, because typing errors are invisible.
  private func ask() throws -> String {
    let one = Self.unseen("Password of \(name): ")
    guard one == Self.unseen("Again: ") else { throw ServerError("the two passwords differ: type the same one twice") }
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
