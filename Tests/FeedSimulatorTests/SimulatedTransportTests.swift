import Dispatch
import OddsFeed
import Testing

@testable import FeedSimulator

@Suite("The simulated transport")
struct SimulatedTransportTests {
  private let page = Subscription(topic: .aggregator(.live, matches: 10), generation: 1)

  private func transport(rate: Double = 20) throws -> SimulatedTransport {
    SimulatedTransport(options: try SimulatorOptions(matches: 20, rate: rate, startTime: opening))
  }

  private func text(_ event: TransportEvent?) -> String {
    guard case .frame(let frame) = event else { return "" }
    return String(decoding: frame.bytes, as: UTF8.self)
  }

  @Test("goes live, sends the dump, then updates, and ends when it is disconnected", .timeLimit(.minutes(1)))
  func conversation() async throws {
    let transport = try transport(rate: 10_000)
    var events = await transport.connect().makeAsyncIterator()
    guard case .state(.live) = await events.next() else {
      Issue.record("the first event is not that the line is live")
      return
    }
    await transport.subscribe(page)
    #expect(text(await events.next()).contains(#""messageType":"INITIAL_DUMP""#))
    guard case .frame(let frame) = await events.next() else {
      Issue.record("no update came")
      return
    }
    #expect(frame.subscription == page)
    #expect(text(.frame(frame)).contains(#""messageType":"UPDATE""#))
    await transport.disconnect()
    await transport.disconnect()
    #expect(await events.next() == nil)
  }

  @Test("ends when its reader is cancelled", .timeLimit(.minutes(1)))
  func cancellation() async throws {
    let transport = try transport()
    let events = await transport.connect()
    let reader = Task {
      for await _ in events {}
    }
    reader.cancel()
    await reader.value
    await transport.subscribe(page)
    #expect(transport.backlog == 0)
  }

  @Test("is freed, with its timer, while a subscription is open and the reader still holds the events")
  func release() async throws {
    var transport: SimulatedTransport? = try transport()
    weak let released = transport
    var events = await transport?.connect().makeAsyncIterator()
    await transport?.subscribe(page)
    transport = nil
    #expect(released == nil)
    #expect(await events?.next() == nil)
  }

  @Test("puts ticks off while its reader is behind")
  func slowReader() async throws {
    let transport = try transport(rate: 100_000)
    var events = await transport.connect().makeAsyncIterator()
    await transport.subscribe(page)
    // The transport's own timer may tick as well; the bound holds all the same.
    let start = DispatchTime.now().uptimeNanoseconds
    for tick in 0..<1_000 as Range<UInt64> { transport.tick(uptime: start + tick * 20_000_000) }
    let most = EventQueue.bound + 25_000 / UpdateMessages.longest * 2
    #expect((EventQueue.bound...most).contains(transport.backlog))
    #expect(await events.next() != nil)
    await transport.disconnect()
    #expect(transport.backlog == 0)
  }

  @Test("brings a rate into its range", arguments: [(-1, 0.1), (0.1, 0.1), (250, 250), (1e9, 100_000), (.nan, 0.1)])
  func rates(asked: Double, set: Double) throws {
    let transport = try transport()
    transport.setRate(asked)
    #expect(transport.rate == set)
  }
}
