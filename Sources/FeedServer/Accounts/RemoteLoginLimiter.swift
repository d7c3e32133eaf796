import NIOCore
import Platform

/// Asks a limiter that all gateways share, so that none of them can be kept busy by strangers at one: an address pays for
/// each attempt with processor time, and attempts for a user are refused here until the last refusal is over.
final class RemoteLoginLimiter: LoginLimiter {
  /// The number of remembered refusals at which those that are over are forgotten; all of them if none is over.
  private static let maxRefusals = 4096

  private let limiter: any LoginLimiter
  private let work: WorkBudget
  private let clock: @Sendable () -> Int64
  private let now: @Sendable () -> NIODeadline
  /// The time at which each refusal is over, and the time to wait that it had.
  private let refusals = Locked<[LoginLimit.Pair: (end: Int64, wait: Int64)]>([:])

  init(
    _ limiter: any LoginLimiter, work: WorkBudget, clock: @escaping @Sendable () -> Int64,
    now: @escaping @Sendable () -> NIODeadline = { .now() }
  ) {
    self.limiter = limiter
    self.work = work
    self.clock = clock
    self.now = now
  }

  func attempt(of user: String, from address: String) async throws(AccountServiceError) -> LoginVerdict {
    let pair = LoginLimit.Pair(user: user, address: address)
    if let wait = remainingWait(of: pair) { return .refused(wait: wait) }
    let now = now()
    if let next = work.spend(address, .loginAttempt, now: now) {
      return .refused(wait: (next - now).nanoseconds / 1_000_000 + 1)
    }
    let verdict = try await limiter.attempt(of: user, from: address)
    if case .refused(let wait) = verdict { remember(pair, wait) }
    return verdict
  }

  private func remainingWait(of pair: LoginLimit.Pair) -> Int64? {
    guard let refusal = refusals.withLock({ $0[pair] }) else { return nil }
    let left = refusal.end - clock()
    // More is left only if the clock was set back.
    return left > 0 && left <= refusal.wait ? left : nil
  }

  private func remember(_ pair: LoginLimit.Pair, _ wait: Int64) {
    let now = clock()
    refusals.withLock { refusals in
      if refusals.count >= Self.maxRefusals { refusals = refusals.filter { $0.value.end > now } }
      if refusals.count >= Self.maxRefusals { refusals = [:] }
      refusals[pair] = (now + wait, wait)
    }
  }
}

extension TopicWork {
  /// The work for which an attempt to log in counts that the book of a cluster is asked for. With the usual limits, one
  /// address can make 2,000 attempts at once and then 250 a second.
  static let loginAttempt = TopicWork(nanoseconds: 1_000_000)
}
