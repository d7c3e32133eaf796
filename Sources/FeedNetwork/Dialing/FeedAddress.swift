import Localization
import NIOCore
public import OddsFeed

/// Where a feed is: a WebSocket URL, `ws://` or `wss://`.
public struct FeedAddress: Hashable, Sendable, CustomStringConvertible {
  /// True for `wss://`: the line is encrypted and the feed's certificate is checked.
  public let isSecure: Bool
  /// A name in lower case, or an IP address without brackets.
  public let host: String
  /// 1 to 65535.
  public let port: Int
  /// Path and query, as they are asked for.
  public let path: String

  /// The path where the URL has none.
  public static let defaultPath = "/v2"

  /// Reads a URL such as `wss://HOST/v2`. The problem names the value and the remedy.
  public init(_ text: String) throws(FeedError) {
    func problem(_ what: MessageKey, _ remedy: MessageKey = .remedyAddressExample) -> FeedError {
      FeedError(what, Self.withoutUser(text), remedy: remedy)
    }
    guard let (scheme, rest) = text.firstSplit(at: "://") else { throw problem(.addressNoURL) }
    switch scheme.lowercased() {
    case "ws": isSecure = false
    case "wss": isSecure = true
    case "http": throw problem(.addressNoWebSocket, .remedyWriteWS)
    case "https": throw problem(.addressNoWebSocket, .remedyWriteWSS)
    default: throw problem(.addressOtherScheme)
    }
    guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw problem(.addressBlanks, .remedyNoBlanks)
    }
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
    guard asked.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw problem(.addressPath, .remedyPercent)
    }
    path = asked.isEmpty ? Self.defaultPath : asked.hasPrefix("?") ? "\(Self.defaultPath)\(asked)" : String(asked)
  }

  public var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }

  /// Where the feed's REST interface begins: `https://HOST/`.
  public var restBase: String { "\(isSecure ? "https" : "http")://\(authority)/" }

  /// What a browser on the feed's own site would send as Origin: `https://HOST`.
  public var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// Host and port as in a URL: an IPv6 address in brackets, a port only where it is not the scheme's own.
  package var authority: String { port == (isSecure ? 443 : 80) ? bracketedHost : "\(bracketedHost):\(port)" }

  /// The host as in a URL.
  package var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

  /// True where what is sent does not leave the machine.
  public var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || isIPAddress && host.hasPrefix("127.")
  }

  package var isIPAddress: Bool { Self.ipAddress(host) != nil }

  /// An IP address as it is usually written; nil where the text is none.
  private static func ipAddress(_ text: String) -> String? {
    (try? SocketAddress(ipAddress: text, port: 0))?.ipAddress
  }

  /// The text without user and password, which are nobody's business.
  private static func withoutUser(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let start = text.firstSplit(at: "://")?.1.startIndex ?? text.startIndex
    return start <= at ? "\(text[..<start])•••\(text[at...])" : text
  }
}

extension StringProtocol {
  /// What stands before and behind the first `separator`.
  func firstSplit(at separator: String) -> (SubSequence, SubSequence)? {
    var at = startIndex
    while at < endIndex {
      if self[at...].hasPrefix(separator) { return (self[..<at], self[index(at, offsetBy: separator.count)...]) }
      at = index(after: at)
    }
    return nil
  }

  /// Host, without brackets, and port, where there is one, of `HOST:PORT`; nil where a bracket is not closed. The host has
  /// a colon where it is an IPv6 address.
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
