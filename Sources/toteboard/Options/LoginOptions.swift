import ArgumentParser
import Localization
import OddsModel
import Platform
import ProgramArguments
import TerminalCore

/// The user to log in, for every command that reads a feed, and the source of the password.
struct LoginOptions: ParsableArguments {
  @Option(help: .setting("login", valueName: "user"))
  var login: String?

  @Option(help: .phrase(.optionPasswordFD, valueName: "number"))
  var passwordFD: TypedValue<Int32>?

  /// Accepted only so that `validate()` can reject it with an explanation.
  @Option(help: .hidden)
  var password: TokenArgument?

  mutating func validate() throws {
    if password != nil { throw ValidationError(.usagePasswordArgument) }
    if let login, let fault = Self.fault(login) { throw ValidationError(CLILanguage.words.text(fault)) }
    try passwordFD?.check("--password-fd", 0...Int32.max)
  }

  /// The first option that is given; nil if there is none.
  var firstGiven: String? { login != nil ? "--login" : passwordFD == nil ? nil : "--password-fd" }

  /// Returns why a text is no valid user name; nil if it is valid.
  static func fault(_ login: String) -> LocalizedMessage? {
    if login.isEmpty { return LocalizedMessage(.usageLoginEmpty) }
    // NB: the text after the colon may be a password and must not appear in the message.
    if let colon = login.firstIndex(of: ":") {
      return LocalizedMessage(.usageLoginWithPassword, String(login[..<colon]).cleaned)
    }
    let isClean = login.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
      default: true
      }
    }
    if !isClean { return LocalizedMessage(.usageLoginUnfit, login.cleaned) }
    return login.count > 256 ? LocalizedMessage(.usageLoginUnfit, String(login.prefix(32)).cleaned) : nil
  }
}

extension FeedOptions {
  /// The user to log in: that of the option, or for a feed with logins that of the configuration.
  var user: String? { credentials.login ?? (hasAccounts || provider == .betfair ? configuration.login : nil) }

  /// Throws if an option of the login has no effect on a command without account. Betfair's prices need a login.
  func checkLogin(of command: OptionUse.Command) throws {
    guard provider != .betfair, let option = credentials.firstGiven else { return }
    throw ValidationError(.usageLoginCommand, option, command.rawValue)
  }
}
