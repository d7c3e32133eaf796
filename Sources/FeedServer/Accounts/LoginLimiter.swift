import Platform

/// Counts the failed logins of a server or of a cluster.
package protocol LoginLimiter: Sendable {
  /// Counts an attempt, unless it is refused.
  ///
  /// - Throws: `AccountServiceError` if the attempts are counted elsewhere and cannot be counted now.
  func attempt(of user: String, from address: String) async throws(AccountServiceError) -> LoginVerdict
}

package enum LoginVerdict: Sendable {
  case attempt(LoginAttempt)
  /// The attempt is refused. The value is the time until the next one is possible, in milliseconds.
  case refused(wait: Int64)
}

/// An attempt that was let through and counted. Call one of its functions once.
package struct LoginAttempt: Sendable {
  /// The time to wait before the password is checked, in milliseconds.
  package let delay: Int64
  /// Counts the failure for the user.
  package let fail: @Sendable () -> Void
  /// Removes the attempt from the count, because its password was right or was not checked.
  package let takeBack: @Sendable () -> Void

  package init(delay: Int64, fail: @escaping @Sendable () -> Void, takeBack: @escaping @Sendable () -> Void) {
    self.delay = delay
    self.fail = fail
    self.takeBack = takeBack
  }
}

/// Counts the failed logins of this process.
final class LocalLoginLimiter: LoginLimiter {
  private let limit: Locked<LoginLimit>
  private let clock: @Sendable () -> Int64

  init(rates: LoginLimit.Rates, clock: @escaping @Sendable () -> Int64) {
    limit = Locked(LoginLimit(rates: rates))
    self.clock = clock
  }

  func attempt(of user: String, from address: String) -> LoginVerdict {
    switch limit.withLock({ $0.attempt(of: user, from: address, now: clock()) }) {
    case .refused(let wait): .refused(wait: wait)
    case .attempt(let attempt):
      .attempt(
        LoginAttempt(delay: attempt.delay) { [limit, clock] in
          limit.withLock { $0.failed(attempt, now: clock()) }
        } takeBack: { [limit, clock] in
          limit.withLock { $0.takeBack(attempt, now: clock()) }
        })
    }
  }
}
