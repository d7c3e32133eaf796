import ArgumentParser
import Localization
import ProgramArguments
import TerminalCore

struct AccountOptions: ParsableArguments {
  @Option(help: .setting("login", valueName: "user"))
  var login: String?

  @Option(help: .phrase(.optionPasswordFD, valueName: "number"))
  var passwordFD: TypedValue<Int32>?

  @Flag(help: .phrase(.optionStayLoggedIn))
  var stayLoggedIn = false

  @Flag(help: .phrase(.optionDemoAccount))
  var demoAccount = false

  /// Accepted only so that `validate()` can reject it with an explanation.
  @Option(help: .hidden)
  var password: TokenArgument?

  mutating func validate() throws {
    if password != nil { throw ValidationError(.usagePasswordArgument) }
    if let login { try Self.check(login) }
    try passwordFD?.check("--password-fd", 0...Int32.max)
  }

  /// Returns the user to log in: that of the option, or for a feed over a network that of the configuration.
  func user(of options: FeedOptions) -> String? {
    login ?? (options.isNetworked ? options.configuration.login : nil)
  }

  private static func check(_ login: String) throws {
    if let fault = fault(login) { throw ValidationError(CLILanguage.words.text(fault)) }
  }

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

  func validate(with options: FeedOptions) throws {
    if demoAccount, let feed = options.configuration.feed {
      throw ValidationError(.usageSimulatedOnly, "--demo-account", feed.cleaned)
    }
    if user(of: options) == nil {
      if passwordFD != nil { throw ValidationError(.usageLoginOnly, "--password-fd") }
      if stayLoggedIn { throw ValidationError(.usageLoginOnly, "--stay-logged-in") }
    }
    guard login != nil, !options.isNetworked else { return }
    guard let feed = options.configuration.feed else { throw ValidationError(.usageLoginOnSimulated) }
    throw ValidationError(.usageLoginOnFile, feed.cleaned)
  }
}
