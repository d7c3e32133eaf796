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
    mutating func reserve(_ bytes: Int, _ address: String, most: Int, share: Int) -> Bool {
      let used = byAddress[address] ?? 0
      guard total == 0 || total + bytes <= most, used == 0 || used + bytes <= share else { return false }
      total += bytes
      byAddress[address] = used + bytes
      return true
    }
  }

  private let most: Int
  private let share: Int
  private let state = Locked(State())

  init(limits: ServerLimits) { (most, share) = (limits.unsentBytes, limits.unsentBytesOfAddress) }

  var total: Int { state.withLock { $0.total } }

  /// Reserves the bytes of a dump. Calls `grant` when they are reserved, now or later on another thread.
  func reserve(_ bytes: Int, of address: String, grant: @escaping @Sendable () -> Void) {
    let isGranted = state.withLock { [most, share] state in
      if state.reserve(bytes, address, most: most, share: share) { return true }
      state.waiting.append(Waiting(bytes: bytes, address: address, grant: grant))
      return false
    }
    if isGranted { grant() }
  }

  /// Returns the bytes of a dump that was written or whose connection ended.
  func release(_ bytes: Int, of address: String) {
    let granted = state.withLock { [most, share] state in
      state.total -= bytes
      state.byAddress[address]! -= bytes
      if state.byAddress[address] == 0 { state.byAddress[address] = nil }
      var granted: [@Sendable () -> Void] = []
      var rest = CircularBuffer<Waiting>()
      while let next = state.waiting.popFirst() {
        if state.reserve(next.bytes, next.address, most: most, share: share) {
          granted.append(next.grant)
        } else {
          rest.append(next)
        }
      }
      state.waiting = rest
      return granted
    }
    for grant in granted { grant() }
  }
}
