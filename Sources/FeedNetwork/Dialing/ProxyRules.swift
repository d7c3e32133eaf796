import AccountModel
import FoundationCore
import Localization
import OddsModel
import Platform

/// The rules that select the proxy for an address, read from environment variables.
public struct ProxyRules: Sendable {
  struct Proxy: Hashable, Sendable {
    var host: String
    var port: Int
    /// The value of the `Proxy-Authorization` header; nil if the proxy needs no user.
    var authorization: Secret?

    var name: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
  }

  private let environment: [String: String]

  /// Creates rules that never select a proxy.
  public init() { environment = [:] }

  /// Creates rules from `https_proxy` (for wss), `http_proxy` (for ws) and `no_proxy`. The name in lower case takes
  /// precedence over that in upper case.
  public init(environment: [String: String]) { self.environment = environment }

  /// Returns the proxy for an address, or nil if there is none. A loopback address never has one.
  /// Throws if the variable is not a valid proxy URL.
  func proxy(for address: FeedAddress) throws(FeedError) -> Proxy? {
    let name = address.isSecure ? "https_proxy" : "http_proxy"
    guard let text = variable(name), !address.isLoopback, !isExempt(address) else { return nil }
    return try Self.proxy(text, from: name)
  }

  private func variable(_ name: String) -> String? {
    let value = environment[name] ?? environment[name.uppercased()]
    return value?.isEmpty == false ? value : nil
  }

  private static func proxy(_ text: String, from name: String) throws(FeedError) -> Proxy {
    let remedy = LocalizedMessage(.remedyProxyURL, name)
    let (scheme, rest) = text.firstSplit(at: "://") ?? ("http", text[...])
    // NB: Do not show the value: it may contain a password.
    guard scheme.lowercased() == "http" else {
      throw FeedError(LocalizedMessage(.proxyOfOtherKind, name, String(scheme)), remedy: remedy)
    }
    var authority = rest.prefix { $0 != "/" }
    var authorization: Secret?
    if let at = authority.lastIndex(of: "@") {
      let user = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.percentDecoded ?? String($0) }
      let pair = "\(user[0]):\(user.count == 1 ? "" : user[1])"
      authorization = Secret("Basic \(Data(pair.utf8).base64EncodedString())")
      authority = authority[authority.index(after: at)...]
    }
    guard let (host, digits) = authority.hostAndPort, !host.isEmpty, let port = Int(digits ?? "80"),
      1...65_535 ~= port, host.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { throw FeedError(LocalizedMessage(.proxyIsNone, name), remedy: remedy) }
    return Proxy(host: String(host), port: port, authorization: authorization)
  }

  private func isExempt(_ address: FeedAddress) -> Bool {
    (variable("no_proxy") ?? "").split(whereSeparator: { $0 == "," || $0 == " " }).contains { rule in
      if rule == "*" { return true }
      var (name, port): (Substring, Substring?) = (rule, nil)
      // A bare IPv6 address has colons and no port.
      if rule.first == "[" || rule.count(where: { $0 == ":" }) == 1, let parts = rule.hostAndPort {
        (name, port) = parts
      }
      if let port, Int(port) != address.port { return false }
      if name.hasPrefix("*.") { name = name.dropFirst() }
      if name.first == "." { name = name.dropFirst() }
      let suffix = name.lowercased()
      return address.host == suffix || !address.isIPAddress && !suffix.isEmpty && address.host.hasSuffix(".\(suffix)")
    }
  }
}
