import TestSupport
import Testing

@testable import Platform

/// A mailbox written for clarity: arrays, and sums that are recomputed each time.
private struct MailboxModel {
  let limits: MailboxLimits
  var urgent: [Int] = []
  var ordinary: [Int] = []
  var isFinished = false

  static func cost(_ element: Int) -> Int { element % 5 }

  var totalCost: Int { ordinary.map(Self.cost).reduce(0, +) }
  var isFull: Bool { ordinary.count >= limits.count || totalCost >= limits.cost }

  /// A multiple of 10 clears a full mailbox; a multiple of 7 is dropped directly after another one.
  mutating func add(_ element: Int) {
    if element % 7 == 0, let last = ordinary.last, last % 7 == 0 { return }
    if element % 10 == 0, isFull { (urgent, ordinary) = ([], []) }
    ordinary.append(element)
  }

  mutating func send(_ elements: [Int]) -> Bool {
    if isFinished { return true }
    for element in elements { add(element) }
    return !isFull
  }

  mutating func offer(_ element: Int) -> Bool {
    let fits = ordinary.count + 1 <= limits.count && totalCost + Self.cost(element) <= limits.cost
    if isFinished || !ordinary.isEmpty && !fits { return false }
    add(element)
    return true
  }

  mutating func sendUrgent(_ element: Int) {
    if isFinished { return }
    urgent = urgent.filter { $0 % 3 != element % 3 } + [element]
  }

  mutating func finish(_ last: [Int], dropsUnread: Bool) -> Bool {
    if isFinished { return false }
    if dropsUnread { (urgent, ordinary) = ([], []) }
    for element in last { add(element) }
    isFinished = true
    return true
  }

  mutating func next() -> Int? {
    if !urgent.isEmpty { return urgent.removeFirst() }
    return ordinary.isEmpty ? nil : ordinary.removeFirst()
  }

  mutating func drain() -> [Int] {
    defer { (urgent, ordinary) = ([], []) }
    return urgent + ordinary
  }
}

@Suite(.timeLimit(.minutes(45)))
struct MailboxLawTests {
  @Test("A mailbox behaves like its model", arguments: Laws.seeds(100))
  func model(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    let limits = MailboxLimits(
      count: Int.random(in: 1...8, using: &random), cost: [.max, 6, 20].randomElement(using: &random)!)
    var model = MailboxModel(limits: limits)
    let mailbox = Mailbox<Int, Never>(limits: limits, cost: MailboxModel.cost) { element, content in
      if element % 7 == 0, let last = content.last, last % 7 == 0 { return false }
      if element % 10 == 0, content.isFull { content.removeAll() }
      return true
    }
    for step in 0..<400 {
      let element = Int.random(in: 1...100, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3: #expect(mailbox.send(element) == model.send([element]))
      case 4: #expect(mailbox.send(contentsOf: [element, 14, 20]) == model.send([element, 14, 20]))
      case 5: #expect(mailbox.offer(element) == model.offer(element))
      case 6:
        mailbox.sendUrgent(element) { $0 % 3 == element % 3 }
        model.sendUrgent(element)
      case 7:
        mailbox.withdrawUrgent { $0 % 2 == 0 }
        model.urgent.removeAll { $0 % 2 == 0 }
      case 8: #expect(mailbox.drain() == model.drain())
      case 9 where !model.ordinary.isEmpty:
        var wasFull = false
        let isFull = model.isFull
        #expect(await mailbox.nextBatch { wasFull = true } == model.drain())
        #expect(wasFull == isFull)
      case 10 where step > 300:
        let dropsUnread = Bool.random(using: &random)
        #expect(
          mailbox.finish(with: [element], dropsUnread: dropsUnread)
            == model.finish([element], dropsUnread: dropsUnread))
      default:
        if mailbox.count > 0 || model.isFinished { #expect(await mailbox.next() == model.next()) }
      }
      #expect(mailbox.count == model.urgent.count + model.ordinary.count, "seed \(seed)")
      #expect(mailbox.isFull == model.isFull, "seed \(seed)")
      #expect(mailbox.isFinished == model.isFinished, "seed \(seed)")
    }
  }
}
