import ArgumentParser
import OddsFeed
import Wording

/// Whose account the board shows.
struct AccountOptions: ParsableArguments {
  @Option(help: .phrase(.optionLogin, valueName: "user"))
  var login: String?

  @Option(help: .phrase(.optionPasswordFD, valueName: "number"))
  var passwordFD: Int32?

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
    guard login == nil else { return }
    if passwordFD != nil { throw ValidationError(.usageLoginOnly, "--password-fd") }
    if stayLoggedIn { throw ValidationError(.usageLoginOnly, "--stay-logged-in") }
  }

  private static func check(_ login: String) throws {
    if login.isEmpty { throw ValidationError(.usageLoginEmpty) }
    // NB: what stands behind the colon may be a password, and is not shown.
    if let colon = login.firstIndex(of: ":") {
      throw ValidationError(.usageLoginWithPassword, String(login[..<colon]).cleaned)
    }
    let isClean = login.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
      default: true
      }
    }
    if !isClean { throw ValidationError(.usageLoginUnfit, login.cleaned) }
    if login.count > 256 { throw ValidationError(.usageLoginUnfit, String(login.prefix(32)).cleaned) }
  }

  func validate(with options: FeedOptions) throws {
    if demoAccount, let feed = options.feed { throw ValidationError(.usageDemoAccountOnFeed, feed.cleaned) }
    guard login != nil, !options.isNetworked else { return }
    guard let feed = options.feed else { throw ValidationError(.usageLoginOnSimulated) }
    throw ValidationError(.usageLoginOnFile, feed.cleaned)
  }
}
