import Localization
import NIOCore
public import OddsModel

/// The address of a feed: a WebSocket URL, `ws://` or `wss://`.
public struct FeedAddress: Hashable, Sendable, CustomStringConvertible {
  /// True for `wss://`: the connection is encrypted and the feed's certificate is checked.
  public let isSecure: Bool
  /// The host: a name in lower case, or an IP address without brackets.
  public let host: String
  /// The port, from 1 to 65535.
  public let port: Int
  /// The path and query, as sent in the request.
  public let path: String

  /// The default path, for a URL without one.
  public static let defaultPath = "/v2"

  /// Parses a URL such as `wss://HOST/v2`.
  ///
  /// - Throws: A `FeedError` that names the value and the remedy.
  public init(_ text: String) throws(FeedError) {
    func problem(_ message: MessageKey, _ remedy: MessageKey = .remedyAddressExample) -> FeedError {
      FeedError(message, Self.withoutUser(text), remedy: remedy)
    }
    guard let (scheme, rest) = text.firstSplit(at: "://") else { throw problem(.addressNoURL) }
    switch scheme.lowercased() {
    case "ws": isSecure = false
    case "wss": isSecure = true
    case "http": throw problem(.addressNoWebSocket, .remedyWriteWS)
    case "https": throw problem(.addressNoWebSocket, .remedyWriteWSS)
    default: throw problem(.addressOtherScheme)
    }
    guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw problem(.addressBlanks, .remedyNoBlanks) }
    if rest.contains("#") { throw problem(.addressFragment, .remedyNoFragment) }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = rest[..<end]
    if authority.contains("@") { throw problem(.addressUser, .remedyNoUser) }
    guard let (name, digits) = authority.hostAndPort else { throw problem(.addressOpenBracket) }
    if name.isEmpty { throw problem(.addressNoHost) }
    if authority.hasPrefix("[") {
      guard name.contains(":"), let address = Self.ipAddress(String(name)) else {
        throw problem(.addressNoIPv6, .remedyIPv6Example)
      }
      host = address
    } else {
      if name.contains(":") { throw problem(.addressColons, .remedyBracketIPv6) }
      host = Self.ipAddress(String(name)) ?? name.lowercased()
    }
    if let digits {
      guard let number = Int(digits), 1...65_535 ~= number, digits.allSatisfy(\.isNumber) else {
        throw FeedError(.addressPort, Self.withoutUser(text), String(digits), remedy: .remedyPortRange)
      }
      port = number
    } else {
      port = isSecure ? 443 : 80
    }
    let asked = rest[end...]
    guard asked.utf8.allSatisfy({ $0 < 0x80 }) else { throw problem(.addressPath, .remedyPercent) }
    path = asked.isEmpty ? Self.defaultPath : asked.hasPrefix("?") ? "\(Self.defaultPath)\(asked)" : String(asked)
  }

  public var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }

  /// The base URL of the feed's REST interface: `https://HOST/`.
  public var restBase: String { "\(isSecure ? "https" : "http")://\(authority)/" }

  /// The default Origin header, as a browser sends it from the feed's own site: `https://HOST`.
  public var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// The host and port as in a URL: an IPv6 address in brackets, the port only if it is not the default of the scheme.
  package var authority: String { port == (isSecure ? 443 : 80) ? bracketedHost : "\(bracketedHost):\(port)" }

  /// The host as in a URL, an IPv6 address in brackets.
  package var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

  /// True if the host is this machine, so that data sent to it does not cross a network.
  public var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || isIPAddress && host.hasPrefix("127.")
  }

  package var isIPAddress: Bool { Self.ipAddress(host) != nil }

  /// Returns an IP address in its usual notation, or nil if the text is not one.
  private static func ipAddress(_ text: String) -> String? { (try? SocketAddress(ipAddress: text, port: 0))?.ipAddress }

  /// Returns the text with user and password replaced, so that errors do not show them.
  static func withoutUser(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let start = text.firstSplit(at: "://")?.1.startIndex ?? text.startIndex
    return start <= at ? "\(text[..<start])•••\(text[at...])" : text
  }
}

extension StringProtocol {
  /// Returns the parts before and after the first `separator`, or nil if there is none.
  func firstSplit(at separator: String) -> (SubSequence, SubSequence)? {
    var at = startIndex
    while at < endIndex {
      if self[at...].hasPrefix(separator) { return (self[..<at], self[index(at, offsetBy: separator.count)...]) }
      at = index(after: at)
    }
    return nil
  }

  /// The host (without brackets) and the port, if any, of `HOST:PORT`; nil if a bracket is not closed or is followed by
  /// anything but a port. The host contains a colon if it is an IPv6 address.
  var hostAndPort: (host: SubSequence, port: SubSequence?)? {
    if first == "[" {
      guard let close = firstIndex(of: "]") else { return nil }
      let rest = self[index(after: close)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
      return (self[index(after: startIndex)..<close], rest.isEmpty ? nil : rest.dropFirst())
    }
    guard let colon = lastIndex(of: ":") else { return (self[...], nil) }
    return (self[..<colon], self[index(after: colon)...])
  }
}
