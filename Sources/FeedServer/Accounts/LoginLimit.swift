/// How many attempts to log in a user and an address have: some at once, then one now and then. What succeeds does not count.
/// Times are in milliseconds.
package struct LoginLimit: Sendable {
  package struct Rates: Hashable, Sendable {
    /// Attempts at once, of one user.
    package var user = 5
    /// From then on, one in so many milliseconds.
    package var userPause: Int64 = 30_000
    /// Attempts at once, from one address.
    package var address = 20
    package var addressPause: Int64 = 3_000

    package init() {}
  }

  private enum Key: Hashable {
    case user(String)
    case address(String)
  }

  /// How many users and addresses are remembered.
  private static let bound = 8192

  private let rates: Rates
  /// When each has all its attempts again: each attempt puts that off by a pause.
  private var wholeAt: [Key: Int64] = [:]

  init(rates: Rates = Rates()) { self.rates = rates }

  var count: Int { wholeAt.count }

  /// Counts an attempt. Where it is one too many, it does not count, and how many milliseconds to wait is returned.
  mutating func attempt(of user: String, from address: String, now: Int64) -> Int64? {
    let keys = keys(user, address)
    if let wait = keys.map({ wait($0, now) }).max(), wait > 0 { return wait }
    if wholeAt.count + keys.count > Self.bound { forget(now) }
    for key in keys { wholeAt[key] = max(wholeAt[key] ?? now, now) + pause(key) }
    return nil
  }

  /// The attempt was none of somebody who guesses.
  mutating func takeBack(_ user: String, from address: String) {
    for key in keys(user, address) {
      if let whole = wholeAt[key] { wholeAt[key] = whole - pause(key) }
    }
  }

  private func keys(_ user: String, _ address: String) -> [Key] { [.user(user), .address(address)] }

  private func pause(_ key: Key) -> Int64 { if case .user = key { rates.userPause } else { rates.addressPause } }

  private func wait(_ key: Key, _ now: Int64) -> Int64 {
    guard let whole = wholeAt[key] else { return 0 }
    let attempts = if case .user = key { rates.user } else { rates.address }
    // The clock may have been set back.
    return min(whole - now, Int64(attempts) * pause(key)) - Int64(attempts - 1) * pause(key)
  }

  /// Those that have all their attempts, and, where that is not enough, the half that is nearest to it.
  private mutating func forget(_ now: Int64) {
    wholeAt = wholeAt.filter { $0.value > now }
    guard wholeAt.count > Self.bound / 2 else { return }
    let middle = wholeAt.values.sorted()[wholeAt.count / 2]
    wholeAt = wholeAt.filter { $0.value > middle }
  }
}
