import TestSupport
import Testing

@testable import FeedFanOut

/// Processes that compete for a lease, and the bucket, on one time line, written for clarity. Each call to the bucket
/// takes a random time there and back, may be lost, and processes pause.
private struct LeaseModel {
  enum Message {
    case read(Int)
    case write(Int, LeaseRecord, expecting: UInt64, number: Int)
    case readAnswer(Int, LeaseEntry?)
    case writeAnswer(Int, LeaseMachine.WriteResult, number: Int)
    case readTimeout(Int, number: Int)
    case writeTimeout(Int, number: Int)
    case wake(Int)
  }

  let timing = LeaseTiming()
  var machines: [LeaseMachine]
  /// The call that each process waits for; answers to another one are ignored.
  var awaited: [Int]
  var pausedUntil: [Duration]
  var entry: LeaseEntry?
  var now = Duration.zero
  var queue: [(time: Duration, order: Int, message: Message)] = []
  var calls = 0
  var isQuiet = false
  /// Who held which epoch, from when until when, as it knew at the time.
  var terms: [(process: Int, epoch: UInt64, start: Duration, end: Duration)] = []

  init(processes: Int) {
    machines = (0..<processes).map { LeaseMachine(holder: UInt64($0 + 1), minEpoch: 100 + UInt64($0)) }
    awaited = Array(repeating: 0, count: processes)
    pausedUntil = Array(repeating: .zero, count: processes)
    for process in 0..<processes { send(.wake(process), after: .zero) }
  }

  mutating func send(_ message: Message, after delay: Duration) {
    calls += 1
    queue.append((now + delay, calls, message))
  }

  mutating func delay(_ random: inout SeededRandom) -> Duration {
    let slow = !isQuiet && random.chance(0.05)
    return .milliseconds(Int.random(in: 0...(slow ? 1500 : 20), using: &random))
  }

  mutating func step(_ random: inout SeededRandom) {
    let index = queue.indices.min { (queue[$0].time, queue[$0].order) < (queue[$1].time, queue[$1].order) }!
    let (time, _, message) = queue.remove(at: index)
    now = time
    let process: Int
    switch message {
    case .read(let from):
      send(.readAnswer(from, entry), after: delay(&random))
      return
    case .write(let from, let record, let expected, let number):
      let matches = (entry?.revision ?? 0) == expected
      if matches { entry = LeaseEntry(record: record, revision: expected + 1) }
      let result = matches ? LeaseMachine.WriteResult.written(revision: expected + 1) : .conflict
      if isQuiet || !random.chance(0.05) { send(.writeAnswer(from, result, number: number), after: delay(&random)) }
      return
    case .readAnswer(let to, _), .writeAnswer(let to, _, _), .readTimeout(let to, _), .writeTimeout(let to, _),
      .wake(let to):
      process = to
    }
    // What arrives at a process that pauses is handled when it goes on.
    if pausedUntil[process] > now { return send(message, after: pausedUntil[process] - now) }
    handle(message, process, &random)
  }

  private mutating func handle(_ message: Message, _ process: Int, _ random: inout SeededRandom) {
    switch message {
    case .wake:
      if !isQuiet, random.chance(0.01) {
        pausedUntil[process] = now + .milliseconds(Int.random(in: 1...4000, using: &random))
      }
      send(.wake(process), after: .milliseconds(50))
      perform(machines[process].advance(to: now), process, &random)
    case .readAnswer(_, let entry) where awaited[process] < 0:
      awaited[process] = 0
      perform(machines[process].didRead(entry, now: now), process, &random)
    case .readTimeout(_, let number) where awaited[process] == -number:
      awaited[process] = 0
      perform(machines[process].readFailed(now: now), process, &random)
    case .writeAnswer(_, let result, let number) where awaited[process] == number:
      awaited[process] = 0
      perform(machines[process].didWrite(result, now: now), process, &random)
    case .writeTimeout(_, let number) where awaited[process] == number:
      awaited[process] = 0
      perform(machines[process].didWrite(.unknown, now: now), process, &random)
    default: break
    }
  }

  private mutating func perform(_ actions: [LeaseMachine.Action], _ process: Int, _ random: inout SeededRandom) {
    for action in actions {
      let number = calls + 1
      switch action {
      case .read:
        awaited[process] = -number
        if isQuiet || !random.chance(0.05) { send(.read(process), after: delay(&random)) } else { calls += 1 }
        send(.readTimeout(process, number: number), after: .milliseconds(250))
      case .write(let record, let expected):
        awaited[process] = number
        if isQuiet || !random.chance(0.05) {
          send(.write(process, record, expecting: expected, number: number), after: delay(&random))
        } else {
          calls += 1
        }
        send(.writeTimeout(process, number: number), after: .milliseconds(250))
      case .acquired(let epoch, let end): terms.append((process, epoch, now, end))
      case .extended(let epoch, let end):
        let term = terms.lastIndex { $0.process == process && $0.epoch == epoch }!
        terms[term].end = end
      case .lost(let epoch):
        let term = terms.lastIndex { $0.process == process && $0.epoch == epoch }!
        terms[term].end = min(terms[term].end, now)
      }
    }
  }
}

@Suite struct LeaseMachineLawTests {
  @Test(
    "In any schedule of delays, losses and pauses one process holds the lease at a time, each epoch has one holder, and epochs increase",
    arguments: 0..<60)
  func law(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var model = LeaseModel(processes: Int.random(in: 2...4, using: &random))
    while model.now < .seconds(60) { model.step(&random) }
    let terms = model.terms
    #expect(!terms.isEmpty)
    for (earlier, later) in zip(terms, terms.dropFirst()) {
      #expect(earlier.epoch < later.epoch, "an epoch was given twice, or went back")
      #expect(earlier.end <= later.start, "two processes held the lease at one time")
    }
  }

  @Test("Once messages arrive again, one process gets the lease within two seconds and keeps it", arguments: 0..<15)
  func liveness(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var model = LeaseModel(processes: 3)
    while model.now < .seconds(20) { model.step(&random) }
    model.isQuiet = true
    let longestPause = Duration.seconds(4)
    let start = model.now + longestPause
    while model.now < start + .seconds(2) { model.step(&random) }
    let holder = model.terms.last
    #expect(holder != nil && holder!.end > model.now, "nobody holds the lease")
    while model.now < start + .seconds(30) { model.step(&random) }
    #expect(model.terms.last!.epoch == holder?.epoch, "the lease was lost without a reason")
  }
}
