import NIOCore
import Platform

/// The open connections of a listener: counted by the network of the client, and listed while they are idle.
///
/// At the limit of connections, each new one closes the connection that has been idle for the longest time.
final class ConnectionTable: Sendable {
  enum Admission: Equatable {
    case admitted
    /// The network has too many connections. The connection can get a short answer.
    case refused
    /// The network has so many connections that this one gets no answer.
    case dropped
  }

  /// The number of connections beyond the limit of a network that get an answer at a time.
  static let answeredRefusals = 8
  /// The number of connections that are accepted beyond `limit` while idle ones are being closed.
  static let spare = 16

  /// The share of the limit above which idle connections are kept for a shorter time, in percent.
  private static let crowdedShare = 75

  private struct State {
    var total = 0
    var counts: [String: Int] = [:]
    /// The networks by which the open connections are counted; nil for one that is not.
    var networks: [ObjectIdentifier: String?] = [:]
    /// The idle connections, each with the number of its entry in `order`.
    var idle: [ObjectIdentifier: (number: UInt64, channel: any Channel)] = [:]
    /// The idle connections by time. Entries of connections that are no longer idle remain until they are skipped.
    var order: CircularBuffer<(number: UInt64, id: ObjectIdentifier)> = []
    var lastNumber: UInt64 = 0

    /// Counts an open connection by another network, or by none. Returns the number of connections of the network.
    mutating func setNetwork(_ id: ObjectIdentifier, _ network: String?) -> Int {
      guard let old = networks.updateValue(network, forKey: id) else {
        // It was closed meanwhile.
        networks[id] = nil
        return 0
      }
      if let old { discount(old) }
      guard let network else { return 0 }
      counts[network, default: 0] += 1
      return counts[network]!
    }

    mutating func discount(_ network: String) {
      let count = counts[network]! - 1
      counts[network] = count > 0 ? count : nil
    }

    mutating func addIdle(_ channel: any Channel) {
      let id = ObjectIdentifier(channel)
      lastNumber += 1
      idle[id] = (lastNumber, channel)
      order.append((lastNumber, id))
      if order.count > 2 * idle.count + 64 { order.removeAll { idle[$0.id]?.number != $0.number } }
    }

    mutating func removeOldestIdle() -> (any Channel)? {
      while let entry = order.popFirst() {
        guard let (number, channel) = idle[entry.id], number == entry.number else { continue }
        idle[entry.id] = nil
        return channel
      }
      return nil
    }
  }

  /// The number of connections above which idle ones are closed for new ones.
  let limit: Int
  private let limitPerNetwork: Int
  private let state = Locked(State())

  init(limit: Int, limitPerNetwork: Int) {
    self.limit = limit
    self.limitPerNetwork = limitPerNetwork
  }

  /// True if the connections are so many that idle ones should be closed early.
  var isCrowded: Bool { state.withLock { $0.total * 100 > limit * Self.crowdedShare } }

  /// The number of open connections.
  var count: Int { state.withLock { $0.total } }

  /// Counts a connection until it is closed. One that is admitted is idle at first.
  ///
  /// - Parameter network: The network of the client; nil if it is not known yet.
  func add(_ channel: any Channel, from network: String?) -> Admission {
    let id = ObjectIdentifier(channel)
    let (admission, oldest) = state.withLock { state -> (Admission, (any Channel)?) in
      state.total += 1
      state.networks.updateValue(nil, forKey: id)
      let excess = state.setNetwork(id, network) - limitPerNetwork
      if excess > 0 { return (excess > Self.answeredRefusals ? .dropped : .refused, nil) }
      let oldest = state.total > limit ? state.removeOldestIdle() : nil
      state.addIdle(channel)
      return (.admitted, oldest)
    }
    oldest?.close(promise: nil)
    channel.closeFuture.whenComplete { _ in self.remove(id) }
    return admission
  }

  private func remove(_ id: ObjectIdentifier) {
    state.withLock { state in
      state.total -= 1
      state.idle[id] = nil
      if case .some(.some(let network)) = state.networks.removeValue(forKey: id) { state.discount(network) }
    }
  }

  /// Counts a connection by the network of its present client, or by none. Returns false if the network has too many
  /// connections.
  func setNetwork(_ channel: any Channel, _ network: String?) -> Bool {
    state.withLock { $0.setNetwork(ObjectIdentifier(channel), network) <= limitPerNetwork }
  }

  /// Marks an open connection as idle, or as one with a request in progress.
  func setIdle(_ channel: any Channel, _ isIdle: Bool) {
    state.withLock { state in
      if !isIdle { state.idle[ObjectIdentifier(channel)] = nil } else { state.addIdle(channel) }
    }
  }
}
