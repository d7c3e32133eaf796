import Localization
public import OddsModel
import Platform

/// The addresses of Betfair's servers: `betfair` for Betfair's own stream, or `betfair://HOST[:PORT]` for another.
public struct BetfairAddress: Hashable, Sendable {
  /// The host and port of the stream. A connection to this machine has no TLS.
  public let stream: FeedAddress
  /// The login service.
  public let identity: FeedAddress
  /// The service that extends a login session.
  public let keepAlive: FeedAddress
  /// The betting API, for names.
  public let api: FeedAddress
  /// The name of the server for the screen.
  public let name: String

  /// Returns true if a text is meant as the address of a Betfair stream.
  public static func isMeant(by text: String) -> Bool { text == publicName || text.lowercased().hasPrefix(scheme) }

  private static let publicName = "betfair"
  private static let scheme = "betfair://"

  /// Parses addresses.
  ///
  /// - Parameters:
  ///   - text: `betfair` or `betfair://HOST[:PORT]`.
  ///   - identity: The login service, `https://HOST[:PORT]`; nil for Betfair's own. Another stream needs one, so that
  ///     no password for it goes to Betfair.
  ///   - keepAlive: The service that extends a login session, `https://HOST[:PORT]`; nil for `identity`, or if that is
  ///     nil for Betfair's own.
  ///   - api: The betting API, `https://HOST[:PORT]`; nil for Betfair's own, or for `identity` with another stream.
  ///   - hasCertificate: True for the login with a certificate, which has a host of its own.
  /// - Throws: A `FeedError` that names the value and the remedy.
  public init(
    _ text: String, identity: String? = nil, keepAlive: String? = nil, api: String? = nil, hasCertificate: Bool = false
  ) throws(FeedError) {
    let identity = try Self.optionalWeb(identity)
    let keepAlive = try Self.optionalWeb(keepAlive) ?? identity
    let api = try Self.optionalWeb(api)
    if text == Self.publicName {
      stream = try FeedAddress("wss://stream-api.betfair.com")
      let own = try FeedAddress("wss://\(hasCertificate ? "identitysso-cert" : "identitysso").betfair.com")
      let ownKeepAlive = try FeedAddress("wss://identitysso.betfair.com")
      let ownAPI = try FeedAddress("wss://api.betfair.com")
      self.identity = identity ?? own
      self.keepAlive = keepAlive ?? ownKeepAlive
      self.api = api ?? ownAPI
      name = "Betfair"
      return
    }
    let shown = FeedAddress.withoutUser(text).printable()
    let problem = FeedError(.addressBetfair, shown, remedy: .remedyBetfairAddress)
    guard Self.isMeant(by: text) else { throw problem }
    let server = text.dropFirst(Self.scheme.count)
    guard !server.contains(where: { "/?#@,".contains($0) }) else { throw problem }
    do throws(FeedError) {
      let scheme = try FeedAddress("wss://\(server)").isLoopback ? "ws" : "wss"
      // NB: The default port is that of the real stream, with or without TLS.
      let (host, port) = server.hostAndPort ?? (server, nil)
      let bracketed = server.hasPrefix("[") ? "[\(host)]" : "\(host)"
      stream = try FeedAddress("\(scheme)://\(bracketed):\(port ?? "443")")
    } catch { throw problem }
    guard let identity else { throw FeedError(.betfairNoIdentity, shown, remedy: .remedyBetfairIdentity) }
    self.identity = identity
    self.keepAlive = keepAlive ?? identity
    self.api = api ?? identity
    name = stream.host
  }

  private static func optionalWeb(_ text: String?) throws(FeedError) -> FeedAddress? {
    guard let text else { return nil }
    return try web(text)
  }

  /// Parses the address of a web service. Without TLS it must be on this machine, because passwords are sent to it.
  private static func web(_ text: String) throws(FeedError) -> FeedAddress {
    let problem = FeedError(
      .addressWebService, FeedAddress.withoutUser(text).printable(), remedy: .remedyWebServiceAddress)
    guard let (scheme, server) = text.firstSplit(at: "://"), ["http", "https"].contains(scheme.lowercased()) else {
      throw problem
    }
    let authority = server.hasSuffix("/") ? server.dropLast() : server[...]
    guard !authority.contains(where: { "/?#@,".contains($0) }) else { throw problem }
    let address: FeedAddress
    do throws(FeedError) {
      address = try FeedAddress("\(scheme.lowercased() == "http" ? "ws" : "wss")://\(authority)")
    } catch { throw problem }
    guard address.isSecure || address.isLoopback else { throw problem }
    return address
  }
}
