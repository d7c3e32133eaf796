import FeedSimulator

/// What the account side of a server is asked to be.
package struct AccountOptions: Sendable {
  package var users: UserList
  /// How long a session lasts from its login or renewal, in milliseconds.
  package var sessionTime: Int64 = 12 * 3_600_000
  /// What tokens are signed with: 32 bytes or more. Nil makes a key that is gone with the server.
  package var tokenKey: [UInt8]?
  /// What players do comes from it, and the ids of sessions. NB: the same in two runs of one token key would let a token of
  /// the first be good in the second.
  package var seed = UInt64.random(in: 0 ... .max)
  /// From one posting of a player to the next, in milliseconds, on the average.
  package var pace = SimulatedAccounts.usualPace
  /// Milliseconds since 1970.
  package var clock: @Sendable () -> Int64

  package init(users: UserList, clock: @escaping @Sendable () -> Int64) {
    (self.users, self.clock) = (users, clock)
  }

  /// The fewest bytes of a key.
  package static let shortestKey = 32
}

/// An address that only this machine reaches.
package struct LoopbackAddress: Hashable, Sendable {
  package let host: String
  package let port: Int

  /// Nil where the host is not a loopback address; "localhost" is taken for 127.0.0.1.
  package init?(host: String, port: Int) {
    guard let host = Self.address(host) else { return nil }
    (self.host, self.port) = (host, port)
  }

  /// Whether a name or address means this machine.
  static func address(_ host: some StringProtocol) -> String? {
    if host.lowercased() == "localhost" { return "127.0.0.1" }
    if host == "::1" { return "::1" }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127", parts.allSatisfy({ UInt8($0) != nil }) else { return nil }
    return String(host)
  }
}
