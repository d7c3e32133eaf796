import NIOCore
import Platform

/// A limit on the processor time that the requests of one address cost: a burst, then a share of one core. An address
/// is remembered until it has its whole burst again, so that a new connection does not renew it.
///
/// The cost of a request is known only afterwards. While requests of an address are in progress, each counts with the
/// greatest cost of a recent request of any address, so that many at once do not exceed the burst.
final class WorkBudget: Sendable {
  enum Start: Equatable {
    /// The request can be processed. Follow it by `end`.
    case begun
    /// The address has spent its time. It has some again at that time.
    case spent(until: NIODeadline)
    /// Requests of the address that are in progress may spend its time.
    case crowded
  }

  /// The number of remembered addresses at which those that have their whole burst again are forgotten.
  private static let sweepCount = 4096
  /// The cost of a byte of a dump that is sent, in nanoseconds: to copy and to write it.
  private static let byteCost = 10.0

  /// The estimated cost of a request before the first one is charged, in nanoseconds.
  private static let firstEstimate = 10_000_000.0
  /// The factor by which each charge reduces the estimate, unless the charge is greater than the result.
  private static let estimateDecay = 0.99

  private struct State {
    /// The time at which each address has its whole burst again.
    var wholeAt: [String: NIODeadline] = [:]
    var sweepAt = WorkBudget.sweepCount
    /// The requests in progress, by address.
    var inProgress: [String: Int] = [:]
    /// The cost that is reserved for requests in progress, by address, in nanoseconds.
    var reserved: [String: Int64] = [:]
    /// The calls to make when a request of an address ends.
    var waiting: [String: [@Sendable () -> Void]] = [:]
    var estimate = WorkBudget.firstEstimate
  }

  private let burst: TimeAmount
  /// The processor seconds that an address regains in a second.
  private let share: Double
  private let state = Locked(State())

  init(limits: ServerLimits) {
    burst = limits.workBurst
    share = limits.workShare
  }

  /// The number of remembered addresses.
  var count: Int { state.withLock { $0.wholeAt.count } }

  /// Begins a request of an address, if the address has processor time.
  ///
  /// - Parameters:
  ///   - countsReserved: False for the messages of topics that sessions have: they may not wait for what the address
  ///     may have to pay for other topics.
  ///   - onEnd: Called once, on any thread, when a request of the address ends, if this one is `crowded`.
  func begin(
    _ address: String, now: NIODeadline, countsReserved: Bool = true, onEnd: (@Sendable () -> Void)? = nil
  ) -> Start {
    state.withLock { state in
      let whole = max(state.wholeAt[address] ?? now, now)
      let begun = state.inProgress[address] ?? 0
      if whole > now + wholeBurst { return .spent(until: whole - wholeBurst) }
      let reserved = countsReserved ? Double(state.reserved[address] ?? 0) : 0
      if begun > 0, whole + nanoseconds(Double(begun) * state.estimate + reserved) > now + wholeBurst {
        if let onEnd { state.waiting[address, default: []].append(onEnd) }
        return .crowded
      }
      state.inProgress[address] = begun + 1
      return .begun
    }
  }

  /// Returns true if an address has no processor time.
  func isSpent(_ address: String, now: NIODeadline) -> Bool {
    state.withLock { state in (state.wholeAt[address] ?? now) > now + wholeBurst }
  }

  /// Ends a request that was begun, after it was charged.
  func end(_ address: String) {
    let waiting = state.withLock { state in
      let left = state.inProgress[address]! - 1
      state.inProgress[address] = left > 0 ? left : nil
      return state.waiting.removeValue(forKey: address) ?? []
    }
    for call in waiting { call() }
  }

  /// Reserves the cost of a part of a request in progress, which the address may have to pay for.
  func reserve(_ address: String, _ work: TopicWork) {
    state.withLock { $0.reserved[address, default: 0] += work.nanoseconds }
  }

  /// Ends a reservation, and charges the address for it if `isCharged`.
  func release(_ address: String, _ work: TopicWork, isCharged: Bool, now: NIODeadline) {
    state.withLock { state in
      let left = state.reserved[address]! - work.nanoseconds
      state.reserved[address] = left > 0 ? left : nil
      if isCharged { charge(address, Double(work.nanoseconds), now, &state) }
    }
  }

  /// The time in which an address regains its burst.
  private var wholeBurst: TimeAmount { nanoseconds(Double(burst.nanoseconds)) }

  /// The time in which an address regains a cost in nanoseconds.
  private func nanoseconds(_ cost: Double) -> TimeAmount { .nanoseconds(Int64(cost / share)) }

  /// Charges an address for work, and for the bytes of a dump.
  func charge(_ address: String, _ work: TopicWork, bytes: Int = 0, now: NIODeadline) {
    let cost = Double(work.nanoseconds) + Double(bytes) * Self.byteCost
    state.withLock { state in
      state.estimate = max(Double(work.nanoseconds), Self.estimateDecay * state.estimate)
      charge(address, cost, now, &state)
    }
  }

  /// Charges an address for work of a known cost. Returns nil if it has processor time; otherwise charges nothing and
  /// returns the time at which it has some again.
  func spend(_ address: String, _ work: TopicWork, now: NIODeadline) -> NIODeadline? {
    state.withLock { state in
      let whole = max(state.wholeAt[address] ?? now, now)
      if whole > now + wholeBurst { return whole - wholeBurst }
      charge(address, Double(work.nanoseconds), now, &state)
      return nil
    }
  }

  private func charge(_ address: String, _ cost: Double, _ now: NIODeadline, _ state: inout State) {
    let whole = state.wholeAt[address].map { max($0, now) } ?? now
    state.wholeAt[address] = whole + nanoseconds(cost)
    guard state.wholeAt.count >= state.sweepAt else { return }
    state.wholeAt = state.wholeAt.filter { $0.value > now }
    state.sweepAt = max(Self.sweepCount, 2 * state.wholeAt.count)
  }
}
