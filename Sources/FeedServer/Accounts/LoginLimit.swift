/// A limit on failed logins. A successful login does not count. Times are in milliseconds.
///
/// The failures of a user at an address, and those at an address for all users, refuse further attempts there: a burst
/// is allowed, then one attempt per pause. The failures of a user at all addresses only delay attempts, so that nobody
/// can keep the user out from another address. One address alone cannot cause a delay.
package struct LoginLimit: Sendable {
  package struct Rates: Hashable, Sendable {
    /// The number of attempts for a user that an address can make at once.
    package var user = 5
    /// The time after which an address gets one more attempt for a user, in milliseconds. The failures of a user at all
    /// addresses are forgotten at the same rate.
    package var userPause: Int64 = 30_000
    /// The number of attempts that an address can make at once.
    package var address = 20
    /// The time after which an address gets one more attempt, in milliseconds.
    package var addressPause: Int64 = 3_000
    /// The number of failures of a user, at all addresses, above which attempts are delayed.
    package var undelayed = 10
    /// The first delay, in milliseconds. Each further failure doubles it.
    package var shortestDelay: Int64 = 250
    /// The maximum delay, in milliseconds. NB: a client waits 15 s for the answer, which includes the password check.
    package var longestDelay: Int64 = 8_000

    package init() {}

    /// Returns the delay of an attempt for a user with that number of failures, in milliseconds.
    func delay(after failures: Int) -> Int64 {
      guard failures > undelayed else { return 0 }
      return min(longestDelay, shortestDelay << Int64(min(30, failures - undelayed - 1)))
    }

    /// The number of failures above which the delay does not grow.
    fileprivate var maxFailures: Int {
      (undelayed...).first { delay(after: $0) >= longestDelay || $0 >= undelayed + 31 }!
    }
  }

  /// An attempt that was let through, and is counted at its address.
  package struct Attempt: Hashable, Sendable {
    let user: String
    let address: String
    let time: Int64
    /// The time to wait before the password is checked.
    package let delay: Int64
  }

  package enum Verdict: Hashable, Sendable {
    case attempt(Attempt)
    /// The attempt is refused. The value is the time until the next one is possible.
    case refused(wait: Int64)
  }

  struct Pair: Hashable {
    let user: String
    let address: String
  }

  private let rates: Rates
  private var pairs: DecayingCounters<Pair>
  private var addresses: DecayingCounters<String>
  /// Counts unknown names too, so that a delay does not reveal which users exist.
  private var users: DecayingCounters<String>

  package init(rates: Rates = Rates()) {
    self.rates = rates
    pairs = DecayingCounters(pause: rates.userPause, highest: rates.user, bound: 4096)
    addresses = DecayingCounters(pause: rates.addressPause, highest: rates.address, bound: 2048)
    users = DecayingCounters(pause: rates.userPause, highest: rates.maxFailures, bound: 1024)
  }

  /// The number of counters.
  var count: Int { pairs.count + addresses.count + users.count }

  /// Counts an attempt, unless it is refused. Follow it by `takeBack` or `failed`.
  package mutating func attempt(of user: String, from address: String, now: Int64) -> Verdict {
    let pair = Pair(user: user, address: address)
    let wait = max(
      pairs.remaining(pair, now: now) - Int64(rates.user - 1) * rates.userPause,
      addresses.remaining(address, now: now) - Int64(rates.address - 1) * rates.addressPause)
    if wait > 0 { return .refused(wait: wait) }
    pairs.raise(pair, now: now)
    addresses.raise(address, now: now)
    let failures = (users.remaining(user, now: now) + rates.userPause - 1) / rates.userPause
    return .attempt(Attempt(user: user, address: address, time: now, delay: rates.delay(after: Int(failures))))
  }

  /// Counts the failure of an attempt for its user.
  package mutating func failed(_ attempt: Attempt, now: Int64) { users.raise(attempt.user, now: now) }

  /// Removes an attempt from the count, because its password was right or was not checked.
  package mutating func takeBack(_ attempt: Attempt, now: Int64) {
    let pair = Pair(user: attempt.user, address: attempt.address)
    pairs.takeBack(pair, raisedAt: attempt.time, now: now)
    addresses.takeBack(attempt.address, raisedAt: attempt.time, now: now)
  }
}
