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
  @Flag(help: .phrase(.optionStayLoggedIn))
  var stayLoggedIn = false

  @Flag(help: .phrase(.optionDemoAccount))
  var demoAccount = false

  func validate(with options: FeedOptions) throws {
    if demoAccount, let feed = options.configuration.feed {
      throw ValidationError(.usageSimulatedOnly, "--demo-account", feed.cleaned)
    }
    if options.user == nil {
      if options.credentials.passwordFD != nil { throw ValidationError(.usageLoginOnly, "--password-fd") }
      if stayLoggedIn { throw ValidationError(.usageLoginOnly, "--stay-logged-in") }
    }
    if options.provider == .betfair {
      // The session of Betfair ends with the program.
      if stayLoggedIn {
        throw ValidationError(.usageNoEffectOnFeed, "--stay-logged-in", (options.configuration.feed ?? "").cleaned)
      }
      return
    }
    guard options.credentials.login != nil, !options.hasAccounts else { return }
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
    let cache = XDGDirectory.cache.path(environment).map { BalanceCache(directory: $0, address: address, log: log) }
    let client = AccountClient(
      transport: network.account, storage: try storage(address, options, environment), cache: cache, logger: log)
    guard let user = options.user, !client.canStart else { return (client, ClientAccountService(client)) }
    let password = try Passwords.password(of: user, given: given, descriptor: options.credentials.passwordFD?.value)
    return (client, ClientAccountService(client, login: .init(user: user, password: password)))
  }

  /// Returns the storage that keeps the session after the program ends; nil if the user does not want that.
  private func storage(
    _ address: String, _ options: FeedOptions, _ environment: [String: String]
  ) throws -> TokenStorage? {
    guard account.stayLoggedIn || options.configuration.staysLoggedIn, let user = options.user else {
      return nil
    }
    guard let directory = XDGDirectory.state.path(environment) else { throw CommandError(.failureNoHome) }
    return try TokenStorage(directory: directory, address: address, user: user)
  }
}
