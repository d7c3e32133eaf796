import FeedRecording
import OddsFeed
import OddsModel
import TestSupport
import Testing

/// Recordings of a second provider, whose protocol is not JSON.
struct ToyRecordingTests {
  private let topic = Topic(path: "matches/2")

  @Test("A protocol that is not JSON can be recorded, played and inspected")
  func recording() throws {
    let file = TemporaryFile()
    let writer = RecordingWriter(
      descriptor: file.descriptor, name: file.path, format: ToyFormat(), clock: ManualAlarmClock())
    let subscription = Subscription(topic: topic, generation: 1)
    for (second, text) in ["dump Ajax-Porto:2.5", "price 1 2.6", "nonsense"].enumerated() {
      try writer.add(
        TransportFrame(subscription: subscription, bytes: Array(text.utf8)), receivedAt: Int64(second) * 1000)
    }
    #expect(try writer.finish().messages == 3)

    let recording = try Recording(descriptor: file.descriptor, format: ToyFormat())
    #expect(recording.topics == [topic] && recording.duration == .seconds(2))
    #expect(recording.lastDump(0, by: 2000) == 0)
    let bytes = try recording.read(0, 0..<3, afterReset: true)
    var (decoder, batch, state) = (ToyDecoder(), FeedBatch(), ChannelState())
    decoder.decode(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines), into: &batch)
    #expect(batch.messages.map(\.kind) == [.dump, .dump, .update] && batch.unparsable == 1)
    #expect(batch.messages.map(\.receivedAt) == [0, 0, 1000])
    state.apply(batch)
    #expect(state.match(1)?.mainMarket?.outcomes[0].price == "2.60")

    var inspection = Inspection(format: ToyFormat())
    inspection.add(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines))
    inspection.finish()
    #expect(inspection.topics.map(\.matchCount) == [1] && inspection.findingCounts[.unparsable] == 1)
  }
}
