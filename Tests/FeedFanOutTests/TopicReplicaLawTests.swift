import NIOCore
import TestSupport
import Testing

@testable import FeedFanOut

/// A simple model of a network that loses, duplicates and reorders messages between some books and one replica. The
/// text of a message is its epoch and offset, and a dump lists the messages that it includes.
private struct ReplicaModel {
  /// The messages of each term that were published, in order.
  var history: [BookIdentity: [String]] = [:]
  var terms: [BookIdentity] = []
  var frames: [FeedFrame] = []
  var dumps: [(dump: String, identity: BookIdentity, last: UInt64, attempt: UInt64)] = []
  var requests: [(attempt: UInt64, minimum: UInt64)] = []
  var retries: [UInt64] = []
  /// The attempts that were answered. Their answers can be lost, duplicated or late.
  var lost: [UInt64] = []

  var replica = TopicReplica(maxPendingBytes: 200)
  /// The messages that the gateway shows, and their term.
  var shown: [String] = []
  var shownTerm: BookIdentity?
  var shownLast: UInt64 = 0

  mutating func takeOver(_ random: inout SeededRandom) {
    let epoch = (terms.last?.epoch ?? 0) + UInt64.random(in: 1...3, using: &random)
    let term = BookIdentity(epoch: epoch, book: UInt64.random(in: 1...9, using: &random))
    terms.append(term)
    history[term] = []
  }

  mutating func publish(_ term: BookIdentity, _ count: Int) {
    let offset = term.offset + UInt64(history[term]!.count) + 1
    let new = (0..<count).map { "\(term.epoch):\(offset + UInt64($0))" }
    history[term]! += new
    frames += FeedFrame.updates(new.map { Array($0.utf8) }, term, offset: offset, limit: 64)
  }

  func marker(_ term: BookIdentity) -> FeedFrame {
    FeedFrame(.update, term, offset: term.offset + UInt64(history[term]!.count) + 1)
  }

  /// Answers a request with the state of a term after `count` messages.
  mutating func answer(_ request: Int, _ term: BookIdentity, count: Int) {
    let dump = history[term]!.prefix(count).joined(separator: ",")
    dumps.append((dump, term, term.offset + UInt64(count), requests[request].attempt))
    lost.append(requests[request].attempt)
  }

  mutating func deliver(_ frame: FeedFrame) {
    apply(replica.receive(frame.messages!, frame.identity, offset: frame.offset), from: frame.identity)
  }

  mutating func deliver(dump index: Int) {
    let (dump, term, last, attempt) = dumps[index]
    apply(replica.receive(dump: ByteBuffer(string: dump), term, last: last, attempt: attempt), from: term)
  }

  mutating func apply(_ actions: [TopicReplica.Action], from term: BookIdentity?) {
    for action in actions {
      switch action {
      case .requestDump(let attempt, let minimum): requests.append((attempt, minimum))
      case .retryLater(let attempt, _): retries.append(attempt)
      case .restart(let last, let dump):
        shown = String(buffer: dump).split(separator: ",").map(String.init)
        #expect(term! >= shownTerm ?? term!, "a term overwrote a newer one")
        #expect(term! >= replica.identity!, "a term is shown although a newer one is known")
        #expect(last >= shownLast, "the offset went back")
        shownTerm = term
        shownLast = last
      case .append(let messages, let first):
        #expect(first == shownLast + 1, "messages are missing or double")
        shown += messages.map { String(buffer: $0) }
        shownLast += UInt64(messages.count)
      }
      guard let shownTerm else { continue }
      let count = Int(shownLast - shownTerm.offset)
      #expect(shown == Array(history[shownTerm]!.prefix(count)), "what is shown is no state of the book")
    }
  }
}

@Suite struct TopicReplicaLawTests {
  @Test(
    "Once the network recovers, the replica has the book's messages, despite losses, duplicates and reordering",
    arguments: 0..<150)
  func law(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var model = ReplicaModel()
    model.takeOver(&random)
    model.apply(model.replica.start(), from: nil)
    for _ in 0..<300 { step(&model, &random) }
    quiet(&model)
    #expect(model.shownTerm == model.terms.last)
    #expect(model.shown == model.history[model.terms.last!]!)
    #expect(model.replica.isCurrent)
  }

  private func step(_ model: inout ReplicaModel, _ random: inout SeededRandom) {
    // Mostly the newest term, sometimes that of an older book that does not know the newer term yet.
    let term = random.chance(0.9) ? model.terms.last! : model.terms.randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25: model.publish(term, Int.random(in: 1...4, using: &random))
    case 25..<30: model.frames.append(model.marker(term))
    case 30..<60:
      guard let index = model.frames.indices.randomElement(using: &random) else { return }
      let inOrder = random.chance(0.8) ? 0 : index
      let frame = model.frames[inOrder]
      if random.chance(0.95) { model.frames.remove(at: inOrder) }
      if random.chance(0.9) { model.deliver(frame) }
    case 60..<75:
      guard let request = model.requests.indices.randomElement(using: &random) else { return }
      let count = model.history[term]!.count
      model.answer(request, term, count: random.chance(0.8) ? count : Int.random(in: 0...count, using: &random))
      if random.chance(0.8) { model.requests.remove(at: request) }
    case 75..<87:
      guard let dump = model.dumps.indices.randomElement(using: &random) else { return }
      model.deliver(dump: dump)
      if random.chance(0.9) { model.dumps.remove(at: dump) }
    case 87..<90:
      guard let request = model.requests.popLast() else { return }
      model.apply(model.replica.dumpFailed(attempt: request.attempt), from: nil)
    case 90..<94:
      guard let attempt = model.retries.popLast() else { return }
      model.apply(model.replica.retry(attempt), from: nil)
    case 94..<96: model.apply(model.replica.follow(term), from: nil)
    case 96..<98: model.apply(model.replica.messagesLost(), from: nil)
    default: if random.chance(0.3) { model.takeOver(&random) }
    }
  }

  /// Delivers the idle markers and the answers of the newest book until no request is pending.
  private func quiet(_ model: inout ReplicaModel) {
    model.frames = []
    model.dumps = []
    // The attempts without an answer fail in the end.
    for request in model.lost { model.apply(model.replica.dumpFailed(attempt: request), from: nil) }
    let term = model.terms.last!
    for _ in 0..<10 {
      model.deliver(model.marker(term))
      for attempt in model.retries { model.apply(model.replica.retry(attempt), from: nil) }
      model.retries = []
      for request in model.requests.indices { model.answer(request, term, count: model.history[term]!.count) }
      model.requests = []
      for dump in model.dumps.indices { model.deliver(dump: dump) }
      model.dumps = []
    }
  }
}
