import EveryMatrix
import FeedRecording
import OddsFeed
import OddsModel
import TestSupport
import Testing

struct InspectionTests {
  private func inspect(_ lines: [String], cut: Int? = nil) -> Inspection {
    var inspection = Inspection(format: EveryMatrixFormat())
    let subscription = Subscription(topic: Topic(path: "/any"), generation: 1)
    for part in cut.map({ [lines[..<$0], lines[$0...]] }) ?? [lines[...]] {
      let bytes = Array(part.map { $0 + "\n" }.joined().utf8)
      inspection.add(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines))
    }
    inspection.finish()
    return inspection
  }

  private func recorded(_ time: Int64, _ topic: String, _ message: String) -> String {
    #"{"receivedAt":\#(time),"topic":"\#(topic)","message":\#(message)}"#
  }

  @Test("Records are counted by type and change; findings have their line, reason and record")
  func findings() throws {
    let lines = [
      FeedText.dump(FeedText.football()), "nonsense", #"{"messageType":"HEARTBEAT"}"#, "",
      FeedText.update(FeedText.odds(121, "0.5"), FeedText.odds(122, "3.5"), FeedText.odds(999, "2")),
      FeedText.update(
        FeedText.create("OUTCOME", 111, "{}"), FeedText.delete("MARKET", 5),
        FeedText.create("BETTING_OFFER", 700, FeedText.offer(700, outcome: 701, odds: "2"))),
    ]
    for cut in [nil, 1, 4] {
      let inspection = inspect(lines, cut: cut)
      #expect(inspection.lines == 6)
      #expect(inspection.otherLines == 1)
      let expected: [FindingKind: Int] = [
        .unparsable: 1, .unknownMessage: 1, .rejected: 1, .updateOfUnknown: 1, .createOfKnown: 1, .deleteOfUnknown: 1,
        .neverResolved: 1,
      ]
      #expect(inspection.findingCounts == expected)
      #expect(inspection.findings.map(\.line) == [2, 3, 5, 5, 6, 6, nil])
      let rejected = try #require(inspection.findings.dropFirst(2).first)
      #expect(inspection.format.description(of: rejected.issue.reason) == "odds of 0.50: below 1, or above 10000000.00")
      #expect(rejected.issue.idText == "121")
      #expect(rejected.excerpt?.hasPrefix(FeedText.odds(121, "0.5")) == true)
      let topic = try #require(inspection.topics.first)
      #expect(topic.topic.path == "/feed" && inspection.topics.count == 1)
      #expect(topic.records(.bettingOffer) == [3, 1, 3, 0])
      #expect(topic.records(.market) == [1, 0, 0, 1])
      #expect(topic.records(.sport) == nil)
    }
  }

  @Test("Each topic of a recording is inspected as a channel of its own, with its times and its lag")
  func topics() throws {
    let change = FeedText.change("BETTING_OFFER", 121, #""odds":2,"lastChangedTime":5000"#)
    let inspection = inspect([
      recorded(4000, "/a", FeedText.dump(FeedText.football())), recorded(4500, "/b", FeedText.dump()),
      recorded(5250, "/a", FeedText.update(change)),
    ])
    #expect(inspection.topics.map(\.topic.path) == ["/a", "/b"])
    #expect(inspection.topics.map(\.matchCount) == [1, 0])
    let topic = try #require(inspection.topics.first)
    #expect(topic.isByReceipt && topic.span == 4000...5250)
    // The histogram has a precision of two digits.
    #expect(try #require(topic.lag(percentile: 50)).distance(to: 250).magnitude <= 2)
  }

  @Test("A change that becomes pending again is reported once, and never with a record of another line")
  func heldAgain() {
    let inspection = inspect([
      String(repeating: " ", count: 500) + FeedText.update(FeedText.delete("MARKET", 1)),
      FeedText.update(FeedText.change("MARKET", 1, #""name":"x""#)),
      FeedText.update(FeedText.create("MARKET", 1, "{}")),
    ])
    let expected: [FindingKind: Int] = [.deleteOfUnknown: 1, .updateOfUnknown: 1]
    #expect(inspection.findingCounts == expected)
    #expect(inspection.findings.allSatisfy { $0.excerpt?.hasPrefix("{\"changeType\"") ?? true })
    #expect(inspection.findings.map(\.line) == [1, 2])
  }

  @Test("Findings beyond the limit are counted and not kept")
  func manyFindings() {
    let inspection = inspect(Array(repeating: "{", count: Inspection.maxFindings + 5))
    #expect(inspection.findings.count == Inspection.maxFindings)
    #expect(inspection.findingCounts[.unparsable] == Inspection.maxFindings + 5)
  }
}
