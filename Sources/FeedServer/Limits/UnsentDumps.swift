import NIOCore
import Platform

/// A limit on the bytes of dumps that are written to sockets and not yet taken by the clients: in total, and for one
/// address. A dump beyond it waits until others are taken or their connections end.
final class UnsentDumps: Sendable {
  private struct Waiting {
    let bytes: Int
    let address: String
    let grant: @Sendable () -> Void
  }

  private struct State {
    var total = 0
    var byAddress: [String: Int] = [:]
    var waiting = CircularBuffer<Waiting>()

    /// Reserves bytes if the limits allow it. One dump is always allowed, however large it is.
    mutating func reserve(_ bytes: Int, _ address: String, limit: Int, share: Int) -> Bool {
      let used = byAddress[address] ?? 0
      guard total == 0 || total + bytes <= limit, used == 0 || used + bytes <= share else { return false }
      total += bytes
      byAddress[address] = used + bytes
      return true
    }

    /// Reserves the bytes of waiting dumps as far as the limits allow it, and returns what to call. The dumps of one
    /// address keep their order.
    mutating func grant(limit: Int, share: Int) -> [@Sendable () -> Void] {
      var granted: [@Sendable () -> Void] = []
      var later = CircularBuffer<Waiting>()
      var blocked: Set<String> = []
      while let next = waiting.popFirst() {
        let used = byAddress[next.address] ?? 0
        if blocked.contains(next.address) || used > 0 && used + next.bytes > share {
          blocked.insert(next.address)
          later.append(next)
        } else if reserve(next.bytes, next.address, limit: limit, share: share) {
          granted.append(next.grant)
        } else {
          waiting.prepend(next)
          break
        }
      }
      waiting = later + waiting
      return granted
    }
  }

  private let limit: Int
  private let share: Int
  private let state = Locked(State())

  init(limits: ServerLimits) { (limit, share) = (limits.unsentBytes, limits.unsentBytesOfAddress) }

  var total: Int { state.withLock { $0.total } }

  /// Reserves the bytes of a dump, if that is possible at once.
  func reserve(_ bytes: Int, of address: String) -> Bool {
    state.withLock { [limit, share] state in
      if !state.waiting.isEmpty { return false }
      return state.reserve(bytes, address, limit: limit, share: share)
    }
  }

  /// Reserves the bytes of a dump. Calls `grant` when they are reserved, now or later on another thread.
  func reserve(_ bytes: Int, of address: String, grant: @escaping @Sendable () -> Void) {
    let granted = state.withLock { [limit, share] state in
      state.waiting.append(Waiting(bytes: bytes, address: address, grant: grant))
      return state.grant(limit: limit, share: share)
    }
    for grant in granted { grant() }
  }

  /// Changes the size of a reservation.
  func change(_ bytes: Int, to other: Int, of address: String) {
    state.withLock { state in
      state.total += other
      state.byAddress[address, default: 0] += other
    }
    release(bytes, of: address)
  }

  /// Returns the bytes of a dump that was written or whose connection ended.
  func release(_ bytes: Int, of address: String) {
    let granted = state.withLock { [limit, share] state in
      let left = (state.byAddress[address] ?? 0) - bytes
      precondition(left >= 0, "bytes of a dump were released twice")
      state.total -= bytes
      state.byAddress[address] = left > 0 ? left : nil
      return state.grant(limit: limit, share: share)
    }
    for grant in granted { grant() }
  }
}
