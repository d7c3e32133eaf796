import EveryMatrix
import TestSupport
import Testing

@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel

@Suite(.timeLimit(.minutes(45)))
struct RecordingTransportTests {
  private let clock = ManualAlarmClock()
  private let subscription = Subscription(topic: Topic(path: "/a"), generation: 1)

  private func transport(_ file: TemporaryFile, _ speed: PlaybackSpeed) throws -> RecordingTransport {
    RecordingTransport(
      recording: try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()), speed: speed, clock: clock)
  }

  private func text(_ event: TransportEvent?) -> String? {
    switch event {
    case .frame(let frame)?: String(decoding: frame.bytes, as: UTF8.self)
    case .state(let state)?: "\(state)"
    case .records?, .alive?, .topic?, .api?, .apiLost?, nil: nil
    }
  }

  @Test("A waiting reader receives the next line at its time, and nothing before")
  func alarm() async throws {
    let lines = [recorded(0, FeedText.dump()), recorded(3000, FeedText.update())].map { $0 + "\n" }
    let transport = try transport(TemporaryFile(lines.joined()), .times(1))
    var events = await transport.connect().makeAsyncIterator()
    #expect(text(await events.next()) == "live")
    await transport.subscribe(subscription)
    #expect(text(await events.next()) == lines[0])
    async let advanced: Void = {
      await clock.hasAlarm()
      #expect(clock.alarm == .seconds(103))
      clock.advance(by: .seconds(2))
      #expect(clock.alarm == .seconds(103))
      clock.advance(by: .seconds(1))
    }()
    #expect(text(await events.next()) == lines[1])
    await advanced
    #expect(text(await events.next()) == "ended")
  }

  @Test(
    "A request wakes a waiting reader at once",
    arguments: ["jump", "speed", "disconnect", "subscribe"])
  func asked(what: String) async throws {
    let lines = [recorded(0, FeedText.dump()), recorded(3000, FeedText.update())].map { $0 + "\n" }
    let transport = try transport(TemporaryFile(lines.joined()), .times(1))
    var events = await transport.connect().makeAsyncIterator()
    _ = await events.next()
    await transport.subscribe(subscription)
    _ = await events.next()
    async let asked: Void = {
      await clock.hasAlarm()
      switch what {
      case "jump": transport.seek(by: .seconds(10))
      case "speed": transport.setSpeed(.max)
      case "disconnect": await transport.disconnect()
      default: await transport.subscribe(Subscription(topic: subscription.topic, generation: 2))
      }
    }()
    let expected = what == "disconnect" ? nil : what == "subscribe" ? lines[0] : lines[1]
    #expect(text(await events.next()) == expected)
    await asked
  }

  @Test("Playback of a truncated file ends with an error")
  func failure() async throws {
    let file = TemporaryFile(recorded(0, FeedText.dump()) + "\n")
    let transport = try transport(file, .max)
    file.truncate(to: 5)
    await transport.subscribe(subscription)
    var events = await transport.connect().makeAsyncIterator()
    _ = await events.next()
    #expect(text(await events.next())?.contains("was truncated") == true)
    #expect(await events.next() == nil)
  }
}
