import AccountModel
import ArgumentParser
import CLibrary
import FeedServer
import ProgramArguments

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
    let one = try answer("Password for \(name): ")
    guard one == (try answer("Repeat password: ")) else {
      throw ServerError("the passwords do not match: enter the same one twice")
    }
    return one
  }

  /// Returns an answer; empty at the end of the input.
  private func answer(_ prompt: String) throws -> String {
    do throws(PasswordPromptError) { return try PasswordPrompt.ask(prompt) ?? "" } catch {
      switch error {
      case .noTerminal: throw ServerError("there is no terminal: provide the password on standard input")
      case .answerIsUnfit:
        throw ServerError(
          "the password is longer than \(PasswordPrompt.maxBytes) bytes or not UTF-8: choose another one")
      case .noResources(let errno):
        throw ServerError("the terminal cannot be read (error \(errno)): provide the password on standard input")
      }
    }
  }
}
