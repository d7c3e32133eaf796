import NIOCore
import Platform

/// A limit on the processor time that the requests of one address cost: a burst, then a share of one core. An address is
/// remembered until it has its whole burst again, so that a new connection does not renew it.
///
/// The cost of a request is known only afterwards. An address that has spent its time waits until it has some again.
final class WorkBudget: Sendable {
  /// The number of remembered addresses from which those with their whole burst are forgotten.
  private static let sweepCount = 4096
  /// The cost of a byte of a dump that is sent, in nanoseconds: to copy and to write it.
  private static let byteCost = 10.0

  private struct State {
    /// The time at which each address has its whole burst again.
    var wholeAt: [String: NIODeadline] = [:]
    var sweepAt = WorkBudget.sweepCount
  }

  private let burst: TimeAmount
  /// The processor seconds that an address regains in a second.
  private let share: Double
  private let state = Locked(State())

  init(limits: ServerLimits) { (burst, share) = (limits.workBurst, limits.workShare) }

  /// The number of remembered addresses.
  var count: Int { state.withLock { $0.wholeAt.count } }

  /// Returns the time at which a request of an address can be processed; nil if that is now.
  func nextTime(of address: String, now: NIODeadline) -> NIODeadline? {
    guard let whole = state.withLock({ $0.wholeAt[address] }) else { return nil }
    let next = whole - .nanoseconds(Int64(Double(burst.nanoseconds) / share))
    return next > now ? next : nil
  }

  /// Charges an address for work, and for the bytes of a dump.
  func charge(_ address: String, _ work: TopicWork, bytes: Int = 0, now: NIODeadline) {
    let cost = Double(work.nanoseconds) + Double(bytes) * Self.byteCost
    state.withLock { state in
      let whole = state.wholeAt[address].map { max($0, now) } ?? now
      state.wholeAt[address] = whole + .nanoseconds(Int64(cost / share))
      guard state.wholeAt.count >= state.sweepAt else { return }
      state.wholeAt = state.wholeAt.filter { $0.value > now }
      state.sweepAt = max(Self.sweepCount, 2 * state.wholeAt.count)
    }
  }
}
