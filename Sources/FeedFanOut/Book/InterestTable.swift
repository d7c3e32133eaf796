package import OddsModel

/// The topics that gateways have open, by gateway. A value: time comes in as an argument.
package struct InterestTable: Sendable {
  private struct Gateway {
    /// The serial of the last request for each topic.
    var topics: [Topic: UInt64] = [:]
    var heard: Duration
  }

  private var gateways: [UInt64: Gateway] = [:]
  private var counts: [Topic: Int] = [:]
  /// The open topics that gateways only asked for dumps of, such as those of lists, with the time of the last request.
  private var unfollowed: [Topic: Duration] = [:]
  private let timeout: Duration

  /// - Parameter timeout: The time after which a gateway that is not heard is forgotten.
  package init(timeout: Duration) { self.timeout = timeout }

  /// The topics that at least one gateway has open.
  package var topics: some Collection<Topic> { counts.keys }
  package var gatewayCount: Int { gateways.count }
  /// The number of open topics whose messages no gateway receives.
  package var unfollowedCount: Int { unfollowed.count }

  package func contains(_ topic: Topic) -> Bool { counts[topic] != nil }

  /// Notes that a gateway asked for a dump of a topic.
  ///
  /// - Parameter isFollowed: True if the gateway receives the messages of the topic too.
  package mutating func open(_ topic: Topic, gateway: UInt64, serial: UInt64, isFollowed: Bool, now: Duration) {
    if isFollowed {
      unfollowed[topic] = nil
    } else if counts[topic] == nil || unfollowed[topic] != nil {
      unfollowed[topic] = now
    }
    gateways[gateway, default: Gateway(heard: now)].heard = now
    let known = gateways[gateway]!.topics[topic]
    gateways[gateway]!.topics[topic] = max(known ?? 0, serial)
    if known == nil { counts[topic, default: 0] += 1 }
  }

  /// Forgets a topic that can no longer be had.
  package mutating func close(_ topic: Topic) {
    if counts.removeValue(forKey: topic) == nil { return }
    unfollowed[topic] = nil
    for gateway in gateways.keys { gateways[gateway]!.topics[topic] = nil }
  }

  /// Forgets, of the topics whose messages no gateway receives, the one of the oldest request.
  ///
  /// - Returns: The topic; nil if there is none.
  package mutating func closeOldestUnfollowed() -> Topic? {
    let oldest = unfollowed.min { ($0.value, $0.key.path) < ($1.value, $1.key.path) }?.key
    if let oldest { close(oldest) }
    return oldest
  }

  /// Notes an announcement. Topics that the gateway never asked a dump of are not opened by it.
  ///
  /// - Returns: The topics that no gateway has open any more.
  package mutating func apply(_ announcement: InterestAnnouncement, now: Duration) -> [Topic] {
    guard let gateway = gateways[announcement.gateway] else { return [] }
    gateways[announcement.gateway]!.heard = now
    let closed = gateway.topics.filter { topic, serial in
      serial < announcement.serial && announcement.topics.contains(topic) != announcement.isWhole
    }
    return remove(closed.keys, of: announcement.gateway)
  }

  /// Forgets the gateways that were not heard for the timeout.
  ///
  /// - Returns: The topics that no gateway has open any more.
  package mutating func expire(now: Duration) -> [Topic] {
    gateways.filter { now - $0.value.heard >= timeout }.flatMap { number, gateway in
      let unwanted = remove(gateway.topics.keys, of: number)
      gateways[number] = nil
      return unwanted
    }
  }

  private mutating func remove(_ topics: some Collection<Topic>, of gateway: UInt64) -> [Topic] {
    topics.filter { topic in
      gateways[gateway]!.topics[topic] = nil
      counts[topic]! -= 1
      guard counts[topic] == 0 else { return false }
      counts[topic] = nil
      unfollowed[topic] = nil
      return true
    }
  }
}
