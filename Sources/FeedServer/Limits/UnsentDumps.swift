import NIOCore
import Platform

/// A limit on the bytes of dumps that are written to sockets and not yet taken by the clients: in total, and for one
/// address. A dump beyond it waits until others are taken or their connections end.
///
/// The dumps of one address keep their order. Addresses take turns. The cost of a call is proportional to the number of
/// dumps that it grants, not to the number that wait.
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
    /// The addresses whose share allows their first dump, which the total may not.
    var turns = CircularBuffer<String>()
    var hasTurn: Set<String> = []

    /// Returns true if the share of an address allows a dump. One is always allowed, however large it is.
    func allows(_ bytes: Int, _ address: String) -> Bool {
      guard let used = byAddress[address], used > 0 else { return true }
      return used + bytes <= share
    }

    /// Returns true if the total allows a dump. One is always allowed, however large it is.
    func allows(_ bytes: Int) -> Bool { total == 0 || total + bytes <= limit }

    mutating func reserve(_ bytes: Int, _ address: String) {
      total += bytes
      byAddress[address, default: 0] += bytes
    }

    /// Gives an address a turn if its first dump needs only the total.
    mutating func addTurn(_ address: String) {
      guard let next = waiting[address]?.first, allows(next.bytes, address) else { return }
      if hasTurn.insert(address).inserted { turns.append(address) }
    }

    /// Reserves the bytes of waiting dumps as far as the limits allow it, and returns the functions to call.
    mutating func grant() -> [@Sendable () -> Void] {
      var granted: [@Sendable () -> Void] = []
      while let address = turns.first, let next = waiting[address]?.first, allows(next.bytes) {
        turns.removeFirst()
        hasTurn.remove(address)
        waiting[address]!.removeFirst()
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

  /// Reserves the bytes of a dump, if that is possible at once: no dump waits for the total, and none of the address.
  func reserve(_ bytes: Int, of address: String) -> Bool {
    state.withLock { state in
      guard state.turns.isEmpty, state.waiting[address] == nil, state.allows(bytes), state.allows(bytes, address) else {
        return false
      }
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
      state.addTurn(address)
      return state.grant()
    }
    for grant in granted { grant() }
  }
}
