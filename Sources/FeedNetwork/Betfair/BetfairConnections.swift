public import AccountModel
package import Betfair
import Localization
import NIOCore
import NIOPosix
public import OddsModel
package import Platform

/// The network connections to Betfair: the stream, the login service and the betting API. All run on one thread.
public final class BetfairConnections: Sendable {
  /// The account that logs in.
  public struct Account: Sendable {
    let appKey: Secret
    let user: String
    let password: Secret
    let certificate: ClientCertificate?

    /// Creates an account. With a certificate, the login is that for programs.
    public init(appKey: Secret, user: String, password: Secret, certificate: ClientCertificate? = nil) {
      self.appKey = appKey
      self.user = user
      self.password = password
      self.certificate = certificate
    }
  }

  /// The times for which Betfair can merge the updates of a market, in milliseconds.
  public static let conflations = 0...120_000

  private let account: Account
  private let stream: StreamConnector
  private let identity: PostClient
  private let keepAlive: PostClient
  private let api: PostClient
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Starts the thread. Sends nothing yet.
  ///
  /// - Parameters:
  ///   - address: The addresses of the servers.
  ///   - account: The account that logs in.
  ///   - agent: The User-Agent of all requests.
  ///   - caFile: The path of a PEM file with additional root certificates.
  ///   - proxies: The rules that select the proxy.
  /// - Throws: A `FeedError` if the file or the proxy settings are invalid.
  public init(
    _ address: BetfairAddress, _ account: Account, agent: String, caFile: String? = nil,
    proxies: ProxyRules = ProxyRules()
  ) throws(FeedError) {
    var limits = NetworkLimits()
    limits.request = .seconds(20)
    func dialer(
      _ address: FeedAddress, _ group: MultiThreadedEventLoopGroup, _ certificate: ClientCertificate? = nil
    ) throws(FeedError) -> FeedDialer {
      var endpoint = try FeedEndpoint(address: address, caFile: caFile, proxies: proxies)
      endpoint.certificate = certificate
      return try FeedDialer(endpoint, agent: agent, limits: limits, group: group)
    }
    self.account = account
    stream = StreamConnector(try dialer(address.stream, group))
    identity = PostClient(try dialer(address.identity, group, account.certificate), name: .namedLogin)
    if address.keepAlive == address.identity {
      keepAlive = identity
    } else {
      keepAlive = PostClient(try dialer(address.keepAlive, group), name: .namedLogin)
    }
    api = PostClient(try dialer(address.api, group), name: .namedREST)
  }

  /// The requests of the account to the login service.
  var logins: LoginClient {
    LoginClient(
      identity, keepAlive: keepAlive, appKey: account.appKey, user: account.user, password: account.password,
      hasCertificate: account.certificate != nil)
  }

  /// Creates the session with Betfair. `conflateMs` is the time over which Betfair merges the updates of a market.
  package func session(conflateMs: Int = 0, clock: ClientClock = .live) -> BetfairSession {
    precondition(Self.conflations.contains(conflateMs))
    return BetfairSession(
      stream: stream, logins: logins, catalogue: CatalogueClient(api, appKey: account.appKey), appKey: account.appKey,
      conflateMs: Int64(conflateMs), clock: clock)
  }

  /// Closes all open connections and ends the thread. Do not use the connections afterwards.
  public func shutDown() async {
    // NB: Fails only if the group is already shut down.
    try? await group.shutdownGracefully()
  }
}
