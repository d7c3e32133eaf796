import Localization
import NIOHTTP1
import NIOSSL
public import OddsFeed

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A feed to connect to, and what to show for oneself there.
public struct FeedEndpoint: Sendable {
  /// Where the feed is.
  public let address: FeedAddress
  /// The site that one claims to come from.
  public let origin: String
  /// Sent as a bearer token, where the feed wants one.
  public let token: Secret?
  /// By which proxy, if any.
  public let proxies: ProxyRules
  /// Certificates of authorities to trust besides the machine's own.
  let authorities: [NIOSSLCertificate]

  /// An endpoint. Without an origin, that of the feed's own site is taken. The problem tells what is wrong with the values;
  /// a token that would cross a network unencrypted is refused.
  public init(
    address: FeedAddress, origin: String? = nil, token: Secret? = nil, caFile: String? = nil,
    proxies: ProxyRules = ProxyRules()
  ) throws(FeedError) {
    let origin = origin ?? address.origin
    guard WebOrigin.isValid(origin) || origin == address.origin else {
      throw FeedError(.originIsNone, origin.printable(), remedy: .remedyOriginExample)
    }
    if token != nil, !address.isSecure, !address.isLoopback {
      throw FeedError(.tokenUnencrypted, address.host, remedy: .remedyUseWSS)
    }
    self.address = address
    self.origin = origin
    self.token = token
    self.proxies = proxies
    authorities = try caFile.map(Self.certificates) ?? []
  }

  /// What every request to the feed says of us.
  func headers(agent: String, token: Secret?) -> HTTPHeaders {
    var headers = HTTPHeaders([("Host", address.authority), ("Origin", origin), ("User-Agent", agent)])
    if let token { headers.add(name: "Authorization", value: "Bearer \(token.text)") }
    return headers
  }

  /// Certificates are checked, and that they are the host's, always.
  var tls: TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    if !authorities.isEmpty { configuration.additionalTrustRoots = [.certificates(authorities)] }
    return configuration
  }

  private static func certificates(_ file: String) throws(FeedError) -> [NIOSSLCertificate] {
    guard access(file, R_OK) == 0 else {
      let why = LocalizedMessage.foreign(String(cString: strerror(errno)))
      throw FeedError(.caFileUnreadable, file, why, remedy: .remedyPEM)
    }
    do {
      let certificates = try NIOSSLCertificate.fromPEMFile(file)
      if certificates.isEmpty { throw NIOSSLError.failedToLoadCertificate }
      return certificates
    } catch {
      throw FeedError(.caFileEmpty, file, remedy: .remedyPEM)
    }
  }
}
