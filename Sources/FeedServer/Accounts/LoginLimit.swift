/// A limit on the failed logins of a user and from an address: a burst, then one attempt per pause. A successful login
/// does not count. Times are in milliseconds.
package struct LoginLimit: Sendable {
  package struct Rates: Hashable, Sendable {
    /// The number of attempts that a user can make at once.
    package var user = 5
    /// The time after which a user gets one more attempt, in milliseconds.
    package var userPause: Int64 = 30_000
    /// The number of attempts that an address can make at once.
    package var address = 20
    package var addressPause: Int64 = 3_000

    package init() {}
  }

  private enum Key: Hashable {
    case user(String)
    case address(String)
  }

  /// The maximum number of users and addresses that are remembered.
  private static let bound = 8192

  private let rates: Rates
  /// The time at which each user or address has all its attempts again. Each attempt adds a pause.
  private var wholeAt: [Key: Int64] = [:]

  init(rates: Rates = Rates()) { self.rates = rates }

  var count: Int { wholeAt.count }

  /// Counts an attempt. At the limit, returns the time to wait, in milliseconds, and does not count; otherwise nil.
  mutating func attempt(of user: String, from address: String, now: Int64) -> Int64? {
    let keys = keys(user, address)
    if let wait = keys.map({ wait($0, now) }).max(), wait > 0 { return wait }
    if wholeAt.count + keys.count > Self.bound { forget(now) }
    for key in keys { wholeAt[key] = max(wholeAt[key] ?? now, now) + pause(key) }
    return nil
  }

  /// Removes an attempt from the count, because its password was right or was not checked.
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
    // The upper bound matters if the clock was set back.
    return min(whole - now, Int64(attempts) * pause(key)) - Int64(attempts - 1) * pause(key)
  }

  /// Removes the entries that have all their attempts again. If more than half of `bound` remain, also removes the half
  /// that is nearest to it.
  private mutating func forget(_ now: Int64) {
    wholeAt = wholeAt.filter { $0.value > now }
    guard wholeAt.count > Self.bound / 2 else { return }
    let middle = wholeAt.values.sorted()[wholeAt.count / 2]
    wholeAt = wholeAt.filter { $0.value > middle }
  }
}
