/// The options of a server.
package struct ServerOptions: Sendable {
  /// The paths of two PEM files: a certificate with its chain, and its key.
  package struct TLSFiles: Hashable, Sendable {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  package var host = "127.0.0.1"
  /// The port to listen at. 0 selects a free port.
  package var port = 8080
  /// The required WAMP realm; nil accepts any.
  package var realm: String?
  /// The allowed values of the Origin header. An empty list allows all.
  package var origins: [String] = []
  /// The token that each client must send, unless it sends that of a login session; nil if there is none.
  package var token: AccessToken?
  package var tls: TLSFiles?
  package var accounts: AccountOptions?
  /// True if the WebSocket and the REST lists require a login or `token`.
  package var requiresLogin = false
  /// The address of the admin interface, which needs no token; nil if there is none.
  package var admin: LoopbackAddress?
  package var limits = ServerLimits()
  /// The reverse proxies whose `X-Forwarded-For` is believed.
  package var proxies = TrustedProxies()

  /// The time from `RunningServer.stop()` to the first GOODBYE. The server is not ready then and accepts no sessions,
  /// but answers and serves those that are open, so that load balancers send new clients elsewhere first. Left out if
  /// there is no session and nobody has asked whether the server is ready.
  package var drainNotice = Duration.zero
  /// The time over which the sessions then get their GOODBYE, so that their clients do not connect elsewhere all at
  /// once.
  package var drainTime = Duration.zero
  /// The time that the whole end may take, including `drainNotice` and `drainTime`, but at least 0.8 s more than these
  /// two. Connections that are still open after it are cut.
  package var endTime = Duration.milliseconds(2800)

  package init() {}
}

/// A bearer token shared by all clients. Its description and mirror do not reveal it.
package struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  /// Creates a token, or returns nil if the text is empty or has a character that a header cannot carry.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    bytes = Array(text.utf8)
  }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Returns true if an Authorization header has this token. The time does not depend on how much of the token matches.
  func isShown(by header: String?) -> Bool {
    guard let header, header.count > 7, header.prefix(7).lowercased() == "bearer " else { return false }
    let shown = Array(header.utf8.dropFirst(7))
    var difference = shown.count ^ bytes.count
    for (place, byte) in shown.enumerated() { difference |= Int(byte ^ bytes[place % bytes.count]) }
    return difference == 0
  }
}
