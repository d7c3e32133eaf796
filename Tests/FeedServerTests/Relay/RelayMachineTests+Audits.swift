import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

// Comparisons of a topic with a fresh dump.
extension RelayMachineTests {
  func update(_ version: Int, odds: Double) -> String {
    #"{"version":"\#(version)","format":"AGGREGATOR","messageType":"UPDATE","records":[{"changeType":"UPDATE","#
      + #""entityType":"BETTING_OFFER","id":"121","changedProperties":{"odds":\#(odds)}}]}"#
  }

  /// Delivers a sign of life every 5 seconds.
  private func advance(_ seconds: ClosedRange<Int>, _ machine: inout RelayMachine) {
    for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: 5) {
      #expect(machine.receive(.alive(), now: .seconds(second)) == [])
    }
  }

  /// A machine whose topic awaits a fresh dump, after an update.
  private func auditing() -> RelayMachine {
    var machine = opened()
    advance(5...60, &machine)
    #expect(machine.advance(to: .seconds(60)) == [.requestDump(Self.subscription(1))])
    #expect(machine.receive(frame(update(1_750_752_646_200, odds: 5)), now: .seconds(60)).count == 1)
    return machine
  }

  @Test("A fresh dump that equals the state before the latest update changes nothing")
  func audit() {
    var machine = auditing()
    #expect(machine.receive(answer(dump), now: .seconds(61)) == [])
    #expect(machine.divergences == 0)
  }

  @Test("A dump that was not requested replaces the state, also if it is older and a fresh dump is awaited")
  func beginsAgain() {
    var machine = auditing()
    let first = dump.replacing("1750752646168", with: "1750752646000")
    #expect(machine.receive(frame(first), now: .seconds(61)) == [.messages(Self.topic, [Array(first.utf8)])])
    // Fresh dumps are compared with the new state, however old it is.
    advance(65...120, &machine)
    #expect(machine.advance(to: .seconds(120)) == [.requestDump(Self.subscription(1))])
    let fresh = dump.replacing("1750752646168", with: "1750752646001").replacing(#""odds":3.1"#, with: #""odds":7.5"#)
    #expect(machine.receive(answer(fresh), now: .seconds(120)) == [.messages(Self.topic, [Array(fresh.utf8)])])
    #expect(machine.divergences == 1)
  }

  @Test("A fresh dump that differs is sent to clients, followed by the updates that it lacks")
  func divergence() {
    var machine = auditing()
    let later = FeedText.dump(FeedText.football()).replacing("1750752646168", with: "1750752646199")
      .replacing(#""odds":3.1"#, with: #""odds":7.5"#)
    #expect(later.contains("7.5"))
    let messages = [later, update(1_750_752_646_200, odds: 5)].map { Array($0.utf8) }
    #expect(machine.receive(answer(later), now: .seconds(61)) == [.messages(Self.topic, messages)])
    #expect(machine.divergences == 1)
  }

  @Test("A fresh dump that is older than the known state of the topic is ignored")
  func oldAudit() {
    var machine = auditing()
    let older = dump.replacing("1750752646168", with: "1750752646167").replacing(#""odds":3.1"#, with: #""odds":7.5"#)
    #expect(machine.receive(answer(older), now: .seconds(61)) == [])
    #expect(machine.divergences == 0)
  }
}
