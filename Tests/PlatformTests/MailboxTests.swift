import TestSupport
import Testing

@testable import Platform

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(45)))
struct MailboxTests {
  private struct Lost: Error, Equatable {}

  /// Starts a task and runs it until it waits.
  private func start<Output: Sendable>(
    _ executor: ManualExecutor, _ body: @escaping @Sendable () async -> Output
  ) -> Task<Output, Never> {
    let task = Task(executorPreference: executor) { await body() }
    executor.run()
    return task
  }

  @Test("A waiting reader receives the next element")
  func waiting() async throws {
    let (mailbox, executor) = (Mailbox<Int, Never>(), ManualExecutor())
    let reader = start(executor) { [await mailbox.next(), await mailbox.next()] }
    mailbox.send(contentsOf: [1, 2, 3])
    executor.run()
    #expect(try await reader.cancellableValue == [1, 2])
    #expect(mailbox.drain() == [3] && mailbox.drain() == [])
  }

  @Test("A batch has all unread elements")
  func batch() async throws {
    let (mailbox, executor) = (Mailbox<Int, Never>(), ManualExecutor())
    let reader = start(executor) { await mailbox.nextBatch() }
    for element in 1...3 { mailbox.send(element) }
    executor.run()
    #expect(try await reader.cancellableValue == [1, 2, 3])
  }

  @Test("A reader can wait for an element and leave it in the mailbox")
  func hasNext() async throws {
    let (mailbox, executor) = (Mailbox<Int, Never>(), ManualExecutor())
    let reader = start(executor) { await mailbox.hasNext() }
    mailbox.send(1)
    executor.run()
    #expect(try await reader.cancellableValue)
    #expect(mailbox.drain() == [1])
    mailbox.finish()
    #expect(await !mailbox.hasNext())
  }

  @Test("A reader that was woken for a withdrawn element waits for the next one")
  func withdrawn() async throws {
    let (mailbox, executor) = (Mailbox<Int, Never>(), ManualExecutor())
    let reader = start(executor) { await mailbox.next() }
    mailbox.sendUrgent(1) { _ in false }
    mailbox.withdrawUrgent { $0 == 1 }
    executor.run()
    mailbox.sendUrgent(2) { _ in false }
    executor.run()
    #expect(try await reader.cancellableValue == 2)
  }

  @Test("An element can replace the last one, whose cost then does not count")
  func replacement() {
    let mailbox = Mailbox<Int, Never>(limits: MailboxLimits(cost: 5), cost: { $0 }) { element, content in
      if content.last == element { content.removeLast() }
      return true
    }
    for element in [1, 3, 3, 3] { mailbox.send(element) }
    #expect(!mailbox.isFull)
    #expect(mailbox.drain() == [1, 3])
  }

  @Test("A producer waits for a slow reader; an urgent element comes first and replaces earlier ones")
  func backPressure() async throws {
    let (mailbox, executor) = (Mailbox<String, Never>(limits: MailboxLimits(count: 1)), ManualExecutor())
    let producer = start(executor) {
      mailbox.send(contentsOf: ["alive", "frame"])
      await mailbox.room()
      return true
    }
    for _ in 0..<3 { mailbox.sendUrgent("records") { $0 == "records" } }
    #expect(await mailbox.next() == "records")
    #expect(await mailbox.next() == "alive")
    executor.run()
    #expect(mailbox.isHeldUp)
    #expect(mailbox.drain() == ["frame"])
    executor.run()
    #expect(try await producer.cancellableValue)
    #expect(!mailbox.isHeldUp)
    mailbox.finish()
    #expect(await mailbox.next() == nil)
  }

  @Test("A producer pauses at the limit until all is read, and the error follows the last element, each time")
  func pause() async throws {
    let mailbox = Mailbox<[UInt8], Lost>(limits: MailboxLimits(cost: 5), cost: \.count)
    #expect(mailbox.send(Array("abcd".utf8)))
    #expect(!mailbox.send(Array("e".utf8)) && mailbox.isFull)
    var hasRoom = false
    #expect(try await mailbox.nextBatch { hasRoom = true }.joined().elementsEqual("abcde".utf8))
    #expect(hasRoom && !mailbox.isFull)
    #expect(mailbox.send(Array("f".utf8)))
    #expect(mailbox.finish(throwing: Lost()) && !mailbox.finish())
    #expect(mailbox.send(Array("late".utf8)) && !mailbox.offer([]))
    #expect(try await mailbox.nextBatch().joined().elementsEqual("f".utf8))
    for _ in 0..<2 {
      await #expect(throws: Lost()) { try await mailbox.nextBatch() }
    }
  }

  @Test("Finishing wakes the reader and the producers; the end follows unread elements unless they are dropped")
  func finish() async throws {
    for dropsUnread in [true, false] {
      let (mailbox, executor) = (Mailbox<Int, Never>(limits: MailboxLimits(count: 1)), ManualExecutor())
      mailbox.send(contentsOf: [1, 2])
      let producers = (0..<3).map { _ in start(executor) { await mailbox.room() } }
      mailbox.finish(with: [3], dropsUnread: dropsUnread)
      executor.run()
      for producer in producers { try await producer.cancellableValue }
      #expect(await mailbox.nextBatch() == (dropsUnread ? [3] : [1, 2, 3]))
      #expect(await mailbox.next() == nil)
      let empty = Mailbox<Int, Never>()
      let reader = start(executor) { await empty.next() }
      empty.finish()
      executor.run()
      #expect(try await reader.cancellableValue == nil)
    }
  }

  @Test("A cancelled task takes available elements and does not wait; other tasks still wait")
  func cancelling() async throws {
    let (mailbox, executor) = (Mailbox<Int, Never>(limits: MailboxLimits(count: 1)), ManualExecutor())
    let reader = start(executor) { [await mailbox.next(), await mailbox.next()] }
    reader.cancel()
    mailbox.send(1)
    executor.run()
    #expect(try await reader.cancellableValue == [1, nil])
    mailbox.send(2)
    let producers = (0..<2).map { _ in start(executor) { await mailbox.room() } }
    producers[0].cancel()
    executor.run()
    try await producers[0].cancellableValue
    #expect(mailbox.isHeldUp)
    #expect(await mailbox.next() == 2)
    executor.run()
    try await producers[1].cancellableValue
  }

  @Test("The reader is woken once for any number of elements until it has read")
  func wakes() async throws {
    let (mailbox, executor) = (Mailbox<Int, Never>(), ManualExecutor())
    let reader = start(executor) { await mailbox.nextBatch() + mailbox.nextBatch() }
    for element in 1...100 { mailbox.send(element) }
    #expect(executor.count == 1)
    executor.run()
    mailbox.send(101)
    executor.run()
    #expect(try await reader.cancellableValue == Array(1...101))
  }

  #if canImport(Glibc)
    @Test("A second reader is a programming error")
    func secondReader() async {
      await #expect(processExitsWith: .failure) {
        // Otherwise a process in which both readers wait would never end.
        signal(SIGALRM) { _ in _exit(0) }
        alarm(60)
        let mailbox = Mailbox<Int, Never>()
        async let one = mailbox.next()
        async let other = mailbox.next()
        _ = await (one, other)
      }
    }
  #endif

  @Test("Producers on many threads lose nothing, and each keeps its order")
  func threads() async throws {
    let mailbox = Mailbox<(producer: Int, number: Int), Never>(limits: MailboxLimits(count: 8))
    let producing = Task {
      await withTaskGroup(of: Void.self) { group in
        for producer in 0..<4 {
          group.addTask {
            for number in 0..<2_000 {
              if number % 7 == 0 { await mailbox.room() }
              mailbox.send((producer, number))
            }
          }
        }
      }
      mailbox.finish()
    }
    var next = [0, 0, 0, 0]
    while let element = await mailbox.next() {
      #expect(element.number == next[element.producer])
      next[element.producer] += 1
      for element in next[0] % 3 == 0 ? mailbox.drain() : [] {
        #expect(element.number == next[element.producer])
        next[element.producer] += 1
      }
    }
    try await producing.cancellableValue
    #expect(next == [2_000, 2_000, 2_000, 2_000])
  }
}
