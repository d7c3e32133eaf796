import NIOCore
import Platform

/// A limit on the bytes of dumps, and of long lists, that are written to sockets and not yet taken by the clients: in
/// total, and for one address. A dump beyond it waits until others are taken or their connections end.
///
/// An address gets another dump only if at least as many bytes remain free as it had before: one without a dump always
/// finds room beside a few that take all they can.
///
/// The dumps of one address keep their order. Addresses take turns; those that have dumps wait for those without one.
/// The cost of a call is proportional to the number of dumps that it grants, not to the number that wait.
final class UnsentDumps: Sendable {
  private struct Waiting {
    let bytes: Int
    let grant: @Sendable () -> Void
  }

  private struct State {
    let limit: Int
    let share: Int
    var total = 0
    var byAddress: [String: Int] = [:]
    /// The dumps that wait, by address. No queue is empty.
    var waiting: [String: CircularBuffer<Waiting>] = [:]
    /// The addresses whose share allows their first waiting dump. The first one has no dump, and the total allows it
    /// none.
    var turns = CircularBuffer<String>()
    var hasTurn: Set<String> = []
    /// The addresses with a dump that have lost their turn, because the total did not allow another one. They get a
    /// turn again when one of their dumps is taken.
    var passed: Set<String> = []

    /// Returns true if the share of an address allows a dump. One is always allowed, however large it is.
    func allows(_ bytes: Int, _ address: String) -> Bool {
      guard let used = byAddress[address], used > 0 else { return true }
      return used + bytes <= share
    }

    /// Returns true if the total allows a dump of an address. One is always allowed, however large it is.
    func allows(_ bytes: Int, inTotalFor address: String) -> Bool {
      total == 0 || total + bytes + (byAddress[address] ?? 0) <= limit
    }

    mutating func reserve(_ bytes: Int, _ address: String) {
      total += bytes
      byAddress[address, default: 0] += bytes
    }

    /// Gives an address a turn if its first dump needs only the total.
    mutating func addTurn(_ address: String) {
      guard let next = waiting[address]?.first, allows(next.bytes, address), !passed.contains(address) else { return }
      if hasTurn.insert(address).inserted { turns.append(address) }
    }

    /// Ends the turn of an address and returns it, if the total allows its first dump. Addresses with a dump that the
    /// total does not allow lose their turn.
    mutating func endTurn() -> String? {
      while let address = turns.first {
        let isAllowed = allows(waiting[address]!.first!.bytes, inTotalFor: address)
        if !isAllowed, byAddress[address] == nil { return nil }
        turns.removeFirst()
        hasTurn.remove(address)
        if isAllowed { return address }
        passed.insert(address)
      }
      // The total then allows whatever the share of an address allows.
      return total + share <= limit ? passed.popFirst() : nil
    }

    /// Reserves the bytes of waiting dumps as far as the limits allow it, and returns the functions to call.
    mutating func grant() -> [@Sendable () -> Void] {
      var granted: [@Sendable () -> Void] = []
      while let address = endTurn() {
        let next = waiting[address]!.removeFirst()
        if waiting[address]!.isEmpty { waiting[address] = nil }
        reserve(next.bytes, address)
        granted.append(next.grant)
        addTurn(address)
      }
      return granted
    }
  }

  private let state: Locked<State>

  init(limits: ServerLimits) {
    state = Locked(State(limit: limits.unsentBytes, share: limits.unsentBytesOfAddress))
  }

  var total: Int { state.withLock { $0.total } }

  /// Reserves the bytes of a dump, if that is possible at once: no address without a dump waits for one, nor does this
  /// one.
  func reserve(_ bytes: Int, of address: String) -> Bool {
    state.withLock { state in
      guard state.turns.isEmpty, state.waiting[address] == nil, state.allows(bytes, inTotalFor: address),
        state.allows(bytes, address)
      else { return false }
      state.reserve(bytes, address)
      return true
    }
  }

  /// Reserves the bytes of a dump. Calls `grant` when they are reserved, now or later on another thread.
  func reserve(_ bytes: Int, of address: String, grant: @escaping @Sendable () -> Void) {
    let granted = state.withLock { state in
      state.waiting[address, default: CircularBuffer()].append(Waiting(bytes: bytes, grant: grant))
      state.addTurn(address)
      return state.grant()
    }
    for grant in granted { grant() }
  }

  /// Changes the size of a reservation.
  func change(_ bytes: Int, to other: Int, of address: String) {
    state.withLock { $0.reserve(other, address) }
    release(bytes, of: address)
  }

  /// Returns the bytes of a dump that was written or whose connection ended.
  func release(_ bytes: Int, of address: String) {
    let granted = state.withLock { state in
      let left = (state.byAddress[address] ?? 0) - bytes
      precondition(left >= 0, "bytes of a dump were released twice")
      state.total -= bytes
      state.byAddress[address] = left > 0 ? left : nil
      state.passed.remove(address)
      state.addTurn(address)
      return state.grant()
    }
    for grant in granted { grant() }
  }
}
