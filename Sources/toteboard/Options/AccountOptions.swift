import ArgumentParser
import Localization
import OddsFeed
import ProgramArguments
import TerminalCore

/// Whose account the board shows.
struct AccountOptions: ParsableArguments {
  @Option(help: .setting("login", valueName: "user"))
  var login: String?

  @Option(help: .phrase(.optionPasswordFD, valueName: "number"))
  var passwordFD: TypedValue<Int32>?

  @Flag(help: .phrase(.optionStayLoggedIn))
  var stayLoggedIn = false

  @Flag(help: .phrase(.optionDemoAccount))
  var demoAccount = false

  /// There to be refused with words of our own.
  @Option(help: .hidden)
  var password: TokenArgument?

  mutating func validate() throws {
    if password != nil { throw ValidationError(.usagePasswordArgument) }
    if let login { try Self.check(login) }
    try passwordFD?.check("--password-fd", 0...Int32.max)
  }

  /// Who is to be logged in: by the option, or on a feed over a network by the file.
  func user(of options: FeedOptions) -> String? {
    login ?? (options.isNetworked ? options.configuration.login : nil)
  }

  private static func check(_ login: String) throws {
    if let fault = fault(login) { throw ValidationError(CLILanguage.words.text(fault)) }
  }

  /// Why a text is no user's name; nil where it is one.
  static func fault(_ login: String) -> LocalizedMessage? {
    if login.isEmpty { return LocalizedMessage(.usageLoginEmpty) }
    // NB: what stands behind the colon may be a password, and is not shown.
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
