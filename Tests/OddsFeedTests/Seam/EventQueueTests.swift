import Platform
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

/// True in the task that cancels a reader, while it does so.
private enum Canceller {
  @TaskLocal static var isActive = false
}

@Suite("The queue of a transport's events", .timeLimit(.minutes(45)))
struct EventQueueTests {
  private let queue = Mailbox<TransportEvent, Never>(limits: MailboxLimits(count: 6), cost: { $0.byteCount }) {
    $0.coalesce(with: &$1)
  }
  private let first = Subscription(topic: Topic(path: "/live/5"), generation: 1)
  private let second = Subscription(topic: Topic(path: "/today/5"), generation: 2)

  private func frame(_ subscription: Subscription) -> TransportEvent {
    .frame(TransportFrame(subscription: subscription, bytes: [1, 2, 3]))
  }

  /// Returns the queued events: each topic with its state, and the kind of every other event.
  private func drain() -> [String] {
    queue.drain().map { event in
      switch event {
      case .topic(let subscription, let state): "\(subscription.topic) \(state == .live ? "live" : "other")"
      case .state(let state): state.isUp ? "up" : "down"
      case .frame: "frame"
      case .records, .api, .apiLost, .alive: "other"
      }
    }
  }

  @Test("keeps only the last state of each topic and of the connection when a connection loss empties it")
  func loss() {
    let events: [TransportEvent] = [
      .state(.live), .topic(first, .requested), .topic(second, .live), .topic(first, .live), frame(first),
      frame(second),
    ]
    queue.send(contentsOf: events)
    #expect(queue.isFull)
    queue.send(.state(.connecting(attempt: 1)))
    #expect(!queue.isFull)
    #expect(drain() == ["/today/5 live", "/live/5 live", "down"])
  }

  @Test("ends the transport when its reader is cancelled, but not inside the call that cancels the reader")
  func cancelledReader() async throws {
    let (queue, executor) = (queue, ManualExecutor())
    let stops = Locked<[Bool]>([])
    let reader = Task(executorPreference: executor) {
      var count = 0
      let events = queue.events {
        stops.withLock { $0.append(Canceller.isActive) }
        queue.finish(with: [.state(.idle)], dropsUnread: true)
      }
      for await _ in events { count += 1 }
      return count
    }
    executor.run()
    Canceller.$isActive.withValue(true) { reader.cancel() }
    executor.run()
    #expect(try await reader.cancellableValue == 1)
    #expect(stops.withLock { $0.contains(false) && !$0.contains(true) })
  }

  @Test("keeps all events at a connection loss while there is room")
  func room() {
    let events: [TransportEvent] = [.topic(first, .live), frame(first), .state(.connecting(attempt: 1))]
    queue.send(contentsOf: events)
    #expect(drain() == ["/live/5 live", "frame", "down"])
  }

  @Test("keeps the later of two signs of life in a row, with the uptime of its receipt and its delay")
  func signs() {
    for second in [5, 10] { queue.send(TransportEvent.alive().received(at: .seconds(second), delay: .seconds(1))) }
    queue.send(frame(first).received(at: .seconds(11), delay: .seconds(2)))
    queue.send(TransportEvent.alive().received(at: .seconds(15), delay: .zero))
    // The age of each sign of life at 20 s.
    let ages = queue.drain().map { event -> Duration? in
      switch event {
      case .alive(let time, _): time.map { .seconds(20) - $0 }
      case .frame(let frame): frame.age(at: .seconds(20))
      case .state, .records, .topic, .api, .apiLost: nil
      }
    }
    #expect(ages == [.seconds(11), .seconds(11), .seconds(5)] as [Duration?])
  }

  @Test("stays within its limits after any number of unread connection losses")
  func losses() {
    for attempt in 1...100 {
      let events: [TransportEvent] = [.topic(first, .live), frame(first), .state(.connecting(attempt: attempt))]
      queue.send(contentsOf: events)
      #expect(queue.count <= 8)
    }
  }
}
