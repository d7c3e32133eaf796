import NIOCore
import Platform

/// Asks a limiter that all gateways share, and bounds the number of its requests: an address pays for each one with
/// processor time, and after a refusal, attempts for the same user from the same address are refused here until the
/// refusal is over.
final class RemoteLoginLimiter: LoginLimiter {
  /// The maximum number of remembered refusals. Beyond it, those that are over are forgotten; if none is over, all are.
  private static let maxRefusals = 4096

  private let limiter: any LoginLimiter
  private let work: WorkBudget
  private let clock: @Sendable () -> Int64
  private let now: @Sendable () -> NIODeadline
  /// The time at which each refusal is over, in milliseconds since 1970, and its whole duration, in milliseconds.
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
  /// The charge for an attempt to log in, which the book of a cluster has to count. With the usual limits, one address
  /// can make 2,000 attempts at once and then 250 a second.
  static let loginAttempt = TopicWork(nanoseconds: 1_000_000)
}
