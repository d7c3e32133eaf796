import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import Platform

/// What stands in for a line may be taken back at any moment.
struct StagedQueueTests {
  /// Runs what is to be run when the test says so.
  private final class ManualExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }

    func run() {
      while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  @Test("A reader that was woken for what is taken back waits on: the events are not at their end")
  func takenBack() async {
    let (queue, executor) = (FallbackQueue(), ManualExecutor())
    let subscription = Subscription(topic: Topic(path: "/a"), generation: 1)
    let taken = Locked<[Bool]>([])
    let reading = Task(executorPreference: executor) {
      while let event = await queue.next() {
        taken.withLock { $0.append(event.isAlive) }
        if event.isAlive { break }
      }
    }
    executor.run()
    queue.put(own: .records(subscription, FeedBatch(), .api))
    queue.forget(subscription)
    executor.run()
    queue.put(own: .alive)
    executor.run()
    await reading.value
    #expect(taken.withLock { $0 } == [true])
  }
}

extension TransportEvent {
  fileprivate var isAlive: Bool { if case .alive = self { true } else { false } }
}
