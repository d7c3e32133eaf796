import FeedRecording
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import Polymarket

@Suite("Recordings of Polymarket", .timeLimit(.minutes(45)))
struct RecordingTests {
  private static let topic = Topic(path: "/live/10")
  private static let image =
    #"[{"bids":[],"asks":[{"price":"0.5","size":"2"}],"asset_id":"11","event_type":"book","hash":"1","timestamp":"5"}]"#

  @Test("Messages of the session and of both channels are recognized, and no others")
  func recognition() {
    func isMessage(_ text: String) -> Bool {
      Array(text.utf8).withUnsafeBufferPointer { PolymarketFormat().isMessage($0) }
    }
    #expect(isMessage(String(decoding: SessionMessage.events([Sample.game]), as: UTF8.self)) && isMessage(Self.image))
    #expect(isMessage(#"{"gameId":1,"score":"0-0"}"#) && isMessage(#"{"market":"0xc0","event_type":"book"}"#))
    for text in [
      #"{"messageType":"INITIAL_DUMP","records":[]}"#, #"{"op":"mcm","pt":1}"#, #"[36,1,2,{}]"#, "[]", "{}", "dump", "",
    ] { #expect(!isMessage(text)) }
  }

  @Test("A recorded session is recognized and played to its last prices")
  func playback() async throws {
    let file = TemporaryFile()
    let format = DetectedFormat([PolymarketFormat()])
    let subscription = Subscription(topic: Self.topic, generation: 1)
    let writer = RecordingWriter(
      descriptor: file.descriptor, name: "test", format: format, clock: DispatchAlarmClock())
    let texts = [
      SessionMessage.events([Sample.game]), Array(Self.image.utf8),
      Array(#"{"gameId":19439,"score":"3-16","live":true}"#.utf8), SessionMessage.withdrawn([TokenID("11")!]),
      SessionMessage.events([Sample.game]), Array(Self.image.replacing("0.5", with: "0.25").utf8),
    ]
    for (place, text) in texts.enumerated() {
      try writer.add(
        TransportFrame(subscription: subscription, bytes: text), receivedAt: 1_769_383_800_000 + Int64(place) * 1000)
    }
    _ = try writer.finish()
    let detected = format.format(of: file.descriptor)
    #expect(detected is PolymarketFormat)
    let recording = try Recording(descriptor: file.descriptor, format: detected)
    #expect(recording.topics == [Self.topic])
    let transport = RecordingTransport(recording: recording, speed: .max)
    let events = await transport.connect()
    await transport.subscribe(subscription)
    var reader = Reader()
    for await event in events {
      if case .state(.ended) = event { break }
      guard case .frame(let frame) = event else { continue }
      var batch = FeedBatch()
      reader.decoder.decode(frame, into: &batch)
      reader.apply(batch)
    }
    await transport.disconnect()
    #expect(reader.outcome(5010)?.exchange?.backs.first?.odds?.description == "4.00")
    #expect(reader.unparsable == 0 && reader.state.counters.dumps == 2)
  }
}
