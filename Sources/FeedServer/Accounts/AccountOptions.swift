import FeedSimulator

/// The options of the account service.
package struct AccountOptions: Sendable {
  package var users: UserList
  /// The lifetime of a session, counted from its login or last renewal, in milliseconds.
  package var sessionTime: Int64 = 12 * 3_600_000
  /// The key that signs tokens, of at least `shortestKey` bytes. If nil, the server generates a key that it does not
  /// keep, so tokens become invalid when it ends.
  package var tokenKey: [UInt8]?
  /// The seed of the simulated postings and of the session ids.
  ///
  /// NB: Do not use the same seed twice with the same `tokenKey`: session ids would repeat, and a token of the first
  /// run would be valid in the second.
  package var seed = UInt64.random(in: 0 ... .max)
  /// The mean time between two postings of a player, in milliseconds.
  package var pace = SimulatedAccounts.usualPace
  /// The current time, in milliseconds since 1970.
  package var clock: @Sendable () -> Int64
  /// The accounts of a cluster; nil for those of this process, to which `sessionTime`, `seed` and `pace` apply.
  package var cluster: (any AccountService & LoginLimiter)?
  /// Waits before the check of a delayed login. Throws if its task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  package init(users: UserList, clock: @escaping @Sendable () -> Int64) {
    self.users = users
    self.clock = clock
  }

  package static let shortestKey = 32
}

/// A loopback address and a port, reachable from this machine only.
package struct LoopbackAddress: Hashable, Sendable {
  package let host: String
  package let port: Int

  /// Creates an address, or returns nil if `host` is not a loopback address. "localhost" becomes 127.0.0.1.
  package init?(host: String, port: Int) {
    guard let host = Self.address(host) else { return nil }
    self.host = host
    self.port = port
  }

  /// Returns the loopback address that a host name or address stands for, or nil if it is not one of this machine's.
  static func address(_ host: some StringProtocol) -> String? {
    if host.lowercased() == "localhost" { return "127.0.0.1" }
    if host == "::1" { return "::1" }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127", parts.allSatisfy({ UInt8($0) != nil }) else { return nil }
    return String(host)
  }
}
