/// What a server is asked to be.
package struct ServerOptions: Sendable {
  /// PEM files of a certificate with its chain, and of its key.
  package struct TLSFiles: Hashable, Sendable {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Where to listen: a name or an address.
  package var host = "127.0.0.1"
  /// 0 takes any that is free.
  package var port = 8080
  /// Nil where any realm will do.
  package var realm: String?
  /// Which pages may open a socket; none is any.
  package var origins: [String] = []
  /// What every client has to show.
  package var token: AccessToken?
  package var tls: TLSFiles?
  /// Who has an account; nobody is a server without an account side.
  package var accounts: AccountOptions?
  /// Whether the socket and the lists are for those only who have logged in, or show `token`.
  package var requiresLogin = false
  /// Where sessions can be ended from, by whoever is on this machine.
  package var admin: LoopbackAddress?
  package var limits = ServerLimits()

  package init() {}
}

/// A secret that clients show. It does not show itself in logs.
package struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  /// Nil where the text has no character, or one that a header cannot carry.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    bytes = Array(text.utf8)
  }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// True where an Authorization header shows it. Takes as long for a token that is nearly right as for one that is not.
  func isShown(by header: String?) -> Bool {
    guard let header, header.count > 7, header.prefix(7).lowercased() == "bearer " else { return false }
    let shown = Array(header.utf8.dropFirst(7))
    var difference = shown.count ^ bytes.count
    for (place, byte) in shown.enumerated() { difference |= Int(byte ^ bytes[place % bytes.count]) }
    return difference == 0
  }
}
