import OddsModel
import Platform
import Testing

@testable import FeedServer

@Suite("The topics of a relay for each address")
struct RelayShareTests {
  @Test("three addresses that take all they can leave topics for a fourth")
  func share() {
    let (relay, share) = (InstantRelay(), RelayLimits().topicsOfAddress)
    var limits = ServerLimits()
    limits.openTopicsOfAddress = share
    let hub = FeedHub(source: relay, limits: limits, loops: [], metrics: ServerMetrics())
    let opened = Locked<[String: Int]>([:])
    let refused = Locked<[TopicError]>([])
    func join(_ number: Int, from address: String) {
      hub.join(Topic(path: "/\(address)/\(number)"), from: address) { result in
        switch result {
        case .success: opened.withLock { $0[address, default: 0] += 1 }
        case .failure(let error): refused.withLock { $0.append(error) }
        }
      }
    }
    for address in ["1", "2", "3"] {
      for number in 0...share { join(number, from: address) }
      // Further topics may be requested upstream.
      relay.advance(by: .seconds(5))
    }
    #expect(opened.withLock { $0 } == ["1": share, "2": share, "3": share])
    #expect(refused.withLock { $0 } == Array(repeating: .tooMany(share), count: 3))
    join(0, from: "4")
    #expect(opened.withLock { $0["4"] } == 1)
  }
}
