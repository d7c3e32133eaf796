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

    /// Reserves the bytes of waiting dumps as far as the limits allow it, and returns what to call. One dump is always
    /// allowed, however large it is. The dumps of one address keep their order.
    mutating func grant(most: Int, share: Int) -> [@Sendable () -> Void] {
      var granted: [@Sendable () -> Void] = []
      var later = CircularBuffer<Waiting>()
      var blocked: Set<String> = []
      while let next = waiting.popFirst() {
        let used = byAddress[next.address] ?? 0
        guard total == 0 || total + next.bytes <= most else {
          waiting.prepend(next)
          break
        }
        guard !blocked.contains(next.address), used == 0 || used + next.bytes <= share else {
          blocked.insert(next.address)
          later.append(next)
          continue
        }
        total += next.bytes
        byAddress[next.address] = used + next.bytes
        granted.append(next.grant)
      }
      waiting = later + waiting
      return granted
    }
  }

  private let most: Int
  private let share: Int
  private let state = Locked(State())

  init(limits: ServerLimits) { (most, share) = (limits.unsentBytes, limits.unsentBytesOfAddress) }

  var total: Int { state.withLock { $0.total } }

  /// Reserves the bytes of a dump. Calls `grant` when they are reserved, now or later on another thread.
  func reserve(_ bytes: Int, of address: String, grant: @escaping @Sendable () -> Void) {
    let granted = state.withLock { [most, share] state in
      state.waiting.append(Waiting(bytes: bytes, address: address, grant: grant))
      return state.grant(most: most, share: share)
    }
    for grant in granted { grant() }
  }

  /// Returns the bytes of a dump that was written or whose connection ended.
  func release(_ bytes: Int, of address: String) {
    let granted = state.withLock { [most, share] state in
      state.total -= bytes
      state.byAddress[address]! -= bytes
      if state.byAddress[address] == 0 { state.byAddress[address] = nil }
      return state.grant(most: most, share: share)
    }
    for grant in granted { grant() }
  }
}
