import TestSupport

@testable import FeedFanOut

/// A simple model of processes that compete for a lease, and of the three stores of its keys, on one timeline.
///
/// Calls and answers have random delays, are lost, or arrive twice. Stores fail and recover. Reads may be answered
/// with an old entry. Processes pause, lose the network, stop or die, and new ones begin. Their clocks differ in time
/// and rate.
struct LeaseModel {
  let timing: LeaseTiming
  var processes: [Process] = []
  var stores = [Store](repeating: Store(), count: LeaseMachine.keyCount)
  var now = Duration.zero
  var terms: [Term] = []
  /// True while calls are fast and never lost, processes do not pause, and only the test stops stores.
  var isQuiet = false
  /// True if a store may lose its entry.
  var losesEntries = false
  /// The messages, the latest first. Of messages with the same time, the one that was sent last is first.
  private var queue: [Envelope] = []
  /// The share of calls that are lost, late or answered with an old entry.
  private let noise: Double
  private var sent = 0
  private var lastHolder: UInt64 = 0

  init(processes count: Int, timing: LeaseTiming = LeaseTiming(), _ random: inout SeededRandom) {
    self.timing = timing
    noise = [0, 0.002, 0.05].randomElement(using: &random)!
    for index in 0..<count {
      processes.append(makeProcess(&random))
      send(.wake, process: index, number: 0, after: .milliseconds(Int.random(in: 0...50, using: &random)))
    }
  }

  private mutating func makeProcess(_ random: inout SeededRandom) -> Process {
    lastHolder += 1
    // Two clocks differ by up to 9 %, which the margin of 10 % allows.
    return Process(
      machine: LeaseMachine(holder: lastHolder, minEpoch: 100 + lastHolder % 5, timing: timing),
      offset: .milliseconds(Int.random(in: 0...1_000_000, using: &random)),
      rate: [0.955, 1.045].randomElement(using: &random)!)
  }

  private mutating func send(_ message: Message, process: Int, number: Int, after delay: Duration) {
    sent += 1
    let envelope = Envelope(time: now + delay, process: process, number: number, message: message)
    var (low, high) = (0, queue.count)
    while low < high {
      let middle = (low + high) / 2
      if queue[middle].time > envelope.time { low = middle + 1 } else { high = middle }
    }
    queue.insert(envelope, at: low)
  }

  private func delay(_ random: inout SeededRandom) -> Duration {
    let isSlow = !isQuiet && random.chance(noise)
    return .milliseconds(Int.random(in: 0...(isSlow ? 1500 : 10), using: &random))
  }

  mutating func run(until end: Duration, _ random: inout SeededRandom) { while now < end { step(&random) } }

  private mutating func step(_ random: inout SeededRandom) {
    let envelope = queue.removeLast()
    now = envelope.time
    switch envelope.message {
    case .read(let key, let number), .write(let key, _, _, let number):
      if stores[key].isUp { return serve(envelope, key, &random) }
      // A store without a leader: some requests fail at once, the others get no answer.
      let isWrite = if case .write = envelope.message { true } else { false }
      if random.chance(0.5) {
        send(
          isWrite ? .writeAnswer(key: key, .unknown) : .readFailure(key: key), process: envelope.process,
          number: number, after: delay(&random))
      }
    default:
      let process = processes[envelope.process]
      if process.pausedUntil <= now { return receive(envelope, &random) }
      // A paused process handles its messages when it resumes.
      send(
        envelope.message, process: envelope.process, number: envelope.number, after: process.pausedUntil - now)
    }
  }

  // MARK: Stores

  private mutating func serve(_ envelope: Envelope, _ key: Int, _ random: inout SeededRandom) {
    var answer: Message
    let entry = stores[key].history.last!
    if case .write(_, let record, let expected, _) = envelope.message {
      if (entry?.revision ?? 0) == expected {
        stores[key].revision += 1
        stores[key].history.append(LeaseEntry(record: record, revision: stores[key].revision))
        answer = .writeAnswer(key: key, .written(revision: stores[key].revision))
      } else {
        answer = .writeAnswer(key: key, .conflict)
      }
    } else {
      let isOld = !isQuiet && random.chance(noise)
      answer = .readAnswer(key: key, isOld ? stores[key].history.suffix(4).randomElement(using: &random)! : entry)
    }
    if !isQuiet, processes[envelope.process].isolatedUntil > now || random.chance(noise) { return }
    let answerDelay = isQuiet ? .zero : processes[envelope.process].answerDelay
    send(answer, process: envelope.process, number: envelope.number, after: answerDelay + delay(&random))
  }

  private mutating func disturb(_ process: Int, _ random: inout SeededRandom) {
    let share = timing.retryInterval / .seconds(1)
    if random.chance(0.2 * share) {
      processes[process].pausedUntil = now + .milliseconds(Int.random(in: 1...4000, using: &random))
    }
    if random.chance(0.2 * share) {
      processes[process].isolatedUntil = now + .milliseconds(Int.random(in: 1...4000, using: &random))
    }
    if random.chance(0.2 * share) {
      processes[process].answerDelay = .milliseconds(
        [0, 0, Int.random(in: 1...235, using: &random)].randomElement(using: &random)!)
    }
    if random.chance(0.02 * share) { processes[process].end = now }
    if random.chance(0.1 * share) {
      processes[process].end = now + .milliseconds(300)
      perform(processes[process].machine.stop(now: processes[process].local(now)), process, &random)
    }
    let store = Int.random(in: stores.indices, using: &random)
    if random.chance((stores[store].isUp ? 0.1 : 0.4) * share) { stores[store].isUp.toggle() }
    if losesEntries, random.chance(0.04 * share) {
      stores[Int.random(in: stores.indices, using: &random)].history = [nil]
    }
  }

  // MARK: Processes

  private mutating func receive(_ envelope: Envelope, _ random: inout SeededRandom) {
    let (index, time) = (envelope.process, processes[envelope.process].local(now))
    let isAwaited = { (key: Int, process: Process) in process.awaited[key] == envelope.number }
    switch envelope.message {
    case .wake:
      send(.wake, process: index, number: 0, after: timing.retryInterval)
      if !isQuiet { disturb(index, &random) }
      if let end = processes[index].end, now >= end {
        endTerm(of: index)
        processes[index] = makeProcess(&random)
      }
      perform(processes[index].machine.advance(to: processes[index].local(now)), index, &random)
    case .readAnswer(let key, let entry) where isAwaited(key, processes[index]):
      processes[index].awaited[key] = 0
      perform(processes[index].machine.didRead(entry, key: key, now: time), index, &random)
    case .readFailure(let key) where isAwaited(key, processes[index]):
      processes[index].awaited[key] = 0
      perform(processes[index].machine.readFailed(key: key, now: time), index, &random)
    case .writeAnswer(let key, let result) where isAwaited(key, processes[index]):
      processes[index].awaited[key] = 0
      perform(processes[index].machine.didWrite(result, key: key, now: time), index, &random)
    default: break
    }
  }

  private mutating func perform(_ actions: [LeaseMachine.Action], _ index: Int, _ random: inout SeededRandom) {
    for action in actions {
      let number = sent + 1
      switch action {
      case .read(let key): call(.read(key: key, number: number), key, .readFailure(key: key), index, &random)
      case .write(let key, let record, let expected):
        call(
          .write(key: key, record, expecting: expected, number: number), key, .writeAnswer(key: key, .unknown), index,
          &random)
      case .acquired(let epoch, let end):
        terms.append(Term(process: index, epoch: epoch, start: now, end: processes[index].real(end)))
      case .extended(let epoch, let end):
        let term = terms.lastIndex { $0.process == index && $0.epoch == epoch }!
        terms[term].end = processes[index].real(end)
      case .lost: endTerm(of: index)
      }
    }
  }

  /// Sends a call once, twice or not at all, and the timeout that the process gets without an answer.
  private mutating func call(
    _ message: Message, _ key: Int, _ failure: Message, _ process: Int, _ random: inout SeededRandom
  ) {
    let number = sent + 1
    processes[process].awaited[key] = number
    send(failure, process: process, number: number, after: .milliseconds(250))
    if !isQuiet, processes[process].isolatedUntil > now || random.chance(noise) { return }
    for _ in 0..<(!isQuiet && random.chance(0.02) ? 2 : 1) {
      send(message, process: process, number: number, after: delay(&random))
    }
  }

  private mutating func endTerm(of process: Int) {
    guard let term = terms.lastIndex(where: { $0.process == process }) else { return }
    terms[term].end = min(terms[term].end, now)
  }
}
