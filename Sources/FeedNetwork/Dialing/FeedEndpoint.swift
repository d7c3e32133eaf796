public import AccountModel
import CLibrary
import Localization
import NIOSSL
public import OddsModel
import Platform

/// A feed to connect to, with the identity to present to it.
public struct FeedEndpoint: Sendable {
  /// The address of the feed.
  public let address: FeedAddress
  /// The value of the Origin header.
  public let origin: String
  /// The bearer token to send; nil if the feed needs none.
  public let token: Secret?
  /// The rules that select the proxy, if any.
  public let proxies: ProxyRules
  /// The root certificates to trust in addition to the system's.
  let authorities: [NIOSSLCertificate]
  /// The certificate to present to the feed; nil for none.
  var certificate: ClientCertificate?

  /// Creates an endpoint.
  ///
  /// - Parameters:
  ///   - address: The address of the feed.
  ///   - origin: The value of the Origin header; nil for that of the feed's own site.
  ///   - token: The bearer token to send, if any.
  ///   - caFile: The path of a PEM file with additional root certificates.
  ///   - proxies: The rules that select the proxy.
  /// - Throws: A `FeedError` if a value is invalid, or a token would cross a network unencrypted.
  public init(
    address: FeedAddress, origin: String? = nil, token: Secret? = nil, caFile: String? = nil,
    proxies: ProxyRules = ProxyRules()
  ) throws(FeedError) {
    try self.init(
      address: address, origin: origin, token: token, authorities: caFile.map(Self.certificates) ?? [], proxies: proxies
    )
  }

  /// Returns an endpoint for each address of a list, with the same identity. The Origin header is by default that of
  /// each address's own site. The arguments are those of the initializer; the file is read once.
  ///
  /// - Throws: A `FeedError` if a value is invalid, or a token would cross a network unencrypted to one of the
  ///   addresses.
  public static func endpoints(
    of list: FeedAddressList, origin: String? = nil, token: Secret? = nil, caFile: String? = nil,
    proxies: ProxyRules = ProxyRules()
  ) throws(FeedError) -> [FeedEndpoint] {
    let authorities = try caFile.map(Self.certificates) ?? []
    var endpoints: [FeedEndpoint] = []
    for address in list.addresses {
      endpoints.append(
        try FeedEndpoint(
          address: address, origin: origin, token: token, authorities: authorities, proxies: proxies))
    }
    return endpoints
  }

  private init(
    address: FeedAddress, origin: String?, token: Secret?, authorities: [NIOSSLCertificate], proxies: ProxyRules
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
    self.authorities = authorities
  }

  /// The TLS settings. The certificate and its host name are always checked; TLS 1.2 is the minimum.
  var tls: TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    if !authorities.isEmpty { configuration.additionalTrustRoots = [.certificates(authorities)] }
    if let certificate {
      configuration.certificateChain = certificate.chain.map { .certificate($0) }
      configuration.privateKey = .privateKey(certificate.key)
    }
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
