import FeedFanOut
import OddsModel
import TestSupport
import Testing

/// A simple model of the table: all requests for each open topic since it was opened.
private struct InterestModel {
  private struct Request {
    let topic: Topic
    let gateway: UInt64
    let serial: UInt64
    let isFollowed: Bool
    let time: Duration
    /// True once the gateway no longer has the topic open.
    var isOver = false
  }

  private var requests: [Request] = []
  private var lastContact: [UInt64: Duration] = [:]

  var topics: Set<Topic> { Set(requests.map(\.topic)) }
  var gatewayCount: Int { lastContact.count }
  var unfollowed: Set<Topic> { topics.filter { topic in !requests.contains { $0.topic == topic && $0.isFollowed } } }

  mutating func open(_ topic: Topic, gateway: UInt64, serial: UInt64, isFollowed: Bool, now: Duration) {
    lastContact[gateway] = now
    requests.append(Request(topic: topic, gateway: gateway, serial: serial, isFollowed: isFollowed, time: now))
  }

  mutating func close(_ topic: Topic) { requests.removeAll { $0.topic == topic } }

  mutating func closeOldestUnfollowed() -> Topic? {
    let oldest = unfollowed.sorted { $0.path < $1.path }.min { lastTime($0) < lastTime($1) }
    if let oldest { close(oldest) }
    return oldest
  }

  private func lastTime(_ topic: Topic) -> Duration { requests.filter { $0.topic == topic }.map(\.time).max()! }

  mutating func apply(_ announcement: InterestAnnouncement, now: Duration) -> Set<Topic> {
    guard lastContact[announcement.gateway] != nil else { return [] }
    lastContact[announcement.gateway] = now
    return leave(announcement.gateway) { topic, serial in
      serial < announcement.serial && announcement.topics.contains(topic) != announcement.isWhole
    }
  }

  mutating func expire(now: Duration, timeout: Duration) -> Set<Topic> {
    var closed: Set<Topic> = []
    for (gateway, time) in lastContact where now - time >= timeout {
      lastContact[gateway] = nil
      closed.formUnion(leave(gateway) { _, _ in true })
    }
    return closed
  }

  /// Ends the interest of a gateway in some topics, by the serials of its last requests for them. Returns the topics
  /// that no gateway has open any more.
  private mutating func leave(_ gateway: UInt64, _ isLeft: (Topic, UInt64) -> Bool) -> Set<Topic> {
    let before = topics
    for topic in topics {
      let indices = requests.indices.filter { index in
        requests[index].topic == topic && requests[index].gateway == gateway && !requests[index].isOver
      }
      guard let serial = indices.map({ requests[$0].serial }).max(), isLeft(topic, serial) else { continue }
      for index in indices { requests[index].isOver = true }
      if !requests.contains(where: { $0.topic == topic && !$0.isOver }) { close(topic) }
    }
    return before.subtracting(topics)
  }
}

struct InterestTableLawTests {
  @Test(
    "The table has the topics of all gateways that have not timed out, and evicts only unfollowed topics",
    arguments: Laws.seeds(32))
  func interest(seed: UInt64) {
    let timeout = Duration.seconds(15)
    var random = SeededRandom(seed: seed)
    var (table, model) = (InterestTable(timeout: timeout), InterestModel())
    var (now, serial) = (Duration.zero, 100 as UInt64)
    let names = (0..<5).map { Topic(path: "\($0)") }
    var evictions = 0
    for step in 0..<600 {
      now += .milliseconds(Int.random(in: 0...1500, using: &random))
      serial += 1
      let (topic, gateway) = (names.randomElement(using: &random)!, UInt64.random(in: 1...3, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let isFollowed = Bool.random(using: &random)
        table.open(topic, gateway: gateway, serial: serial, isFollowed: isFollowed, now: now)
        model.open(topic, gateway: gateway, serial: serial, isFollowed: isFollowed, now: now)
      case 5..<7:
        // The announcement may be older than later requests.
        let announcement = InterestAnnouncement(
          gateway: gateway, serial: serial - UInt64.random(in: 0...5, using: &random),
          isWhole: Bool.random(using: &random), topics: Set(names.filter { _ in Bool.random(using: &random) }))
        #expect(Set(table.apply(announcement, now: now)) == model.apply(announcement, now: now), "step \(step)")
      case 7: #expect(Set(table.expire(now: now)) == model.expire(now: now, timeout: timeout), "step \(step)")
      case 8:
        table.close(topic)
        model.close(topic)
      default:
        let closed = table.closeOldestUnfollowed()
        #expect(closed == model.closeOldestUnfollowed(), "step \(step)")
        if closed != nil { evictions += 1 }
      }
      #expect(Set(table.topics) == model.topics && table.gatewayCount == model.gatewayCount, "step \(step)")
      #expect(table.unfollowedCount == model.unfollowed.count, "seed \(seed), step \(step)")
    }
    #expect(evictions > 0)
  }
}
