import AccountClient
import AccountModel
import ArgumentParser
import FeedNetwork
import FeedSimulator
import Localization
import Logging
import OddsFeed
import Platform
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
    if let login, let fault = Self.fault(login) { throw ValidationError(CLILanguage.words.text(fault)) }
    try passwordFD?.check("--password-fd", 0...Int32.max)
  }

  /// Returns the user to log in: that of the option, or for a feed over a network that of the configuration.
  func user(of options: FeedOptions) -> String? { login ?? (options.hasAccounts ? options.configuration.login : nil) }

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
    guard login != nil, !options.hasAccounts else { return }
    guard let feed = options.configuration.feed else { throw ValidationError(.usageLoginOnSimulated) }
    throw ValidationError(.usageLoginOnFile, feed.cleaned)
  }
}

extension BoardOptions {
  /// Returns the account of a feed; nil if the feed has no accounts. Asks for a password if necessary.
  func account(
    of feed: FeedOptions.Feed, _ options: FeedOptions
  ) throws -> (client: AccountClient, service: ClientAccountService)? {
    // Removes the password from the environment, so that neither child processes nor observers of the process see it.
    let given = Passwords.consumeFromEnvironment()
    let log = Logger(label: "toteboard.account")
    if account.demoAccount {
      let transport = SimulatedAccountTransport(clock: ClientClock.wallTime)
      let client = AccountClient(transport: transport, logger: log)
      let login = ClientAccountService.Login(user: SimulatedAccountTransport.user, password: Secret("demo"))
      return (client, ClientAccountService(client, login: login, simulated: transport))
    }
    guard let network = feed.network, let address = feed.address else { return nil }
    let environment = environment()
    let cache = BoardCache.directory { environment[$0] }.map { BalanceCache(directory: $0, address: address, log: log) }
    let client = AccountClient(
      transport: network.account, storage: try storage(address, options, environment), cache: cache, logger: log)
    guard let user = account.user(of: options), !client.canStart else { return (client, ClientAccountService(client)) }
    let password = try Passwords.password(of: user, given: given, descriptor: account.passwordFD?.value)
    return (client, ClientAccountService(client, login: .init(user: user, password: password)))
  }

  /// Returns the storage that keeps the session after the program ends; nil if the user does not want that.
  private func storage(
    _ address: String, _ options: FeedOptions, _ environment: [String: String]
  ) throws -> TokenStorage? {
    guard account.stayLoggedIn || options.configuration.staysLoggedIn, let user = account.user(of: options) else {
      return nil
    }
    guard let directory = TokenStorage.directory({ environment[$0] }) else { throw CommandError(.failureNoHome) }
    return try TokenStorage(directory: directory, address: address, user: user)
  }
}
