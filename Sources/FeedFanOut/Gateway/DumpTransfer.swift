package import NIOCore

/// The transfer of one dump in parts: events in, actions out. It has no clock and no socket.
///
/// The first answer says how many parts there are. Up to `window` further parts are asked for at a time. A further part
/// that is not answered is asked for again, up to `maxFailures` times in total. The transfer fails at once if the first
/// part is not answered, or if an answer does not fit the others.
package struct DumpTransfer: Sendable {
  package enum Action: Hashable, Sendable {
    /// Ask the book for a part; a `dump` of 0 is a new one. Answer with `receive`, `timedOut` or `fail`.
    case request(dump: UInt64, part: UInt16)
    /// The dump is complete and includes message `last`.
    case complete(ByteBuffer, BookIdentity, last: UInt64)
    case failed
  }

  /// The number of requests for one part without an answer after which the transfer fails.
  static let maxFailures = 3

  private var first: FeedFrame?
  private var dump: UInt64 = 0
  private var parts: [ByteBuffer?] = [nil]
  private var missing = 1
  private var next: UInt16 = 1
  private var failures: [UInt16: Int] = [:]
  private var isOver = false
  private let window: Int

  package init(window: Int) { self.window = window }

  package func start() -> [Action] { [.request(dump: 0, part: 0)] }

  /// Adds the answer to a request of that part.
  package mutating func receive(_ frame: FeedFrame, part: UInt16) -> [Action] {
    var body = frame.body
    guard !isOver else { return [] }
    guard frame.kind == .dump, frame.part == part, let dump = body.readInteger(as: UInt64.self) else { return fail() }
    if first == nil {
      self.dump = dump
      parts = Array(repeating: nil, count: Int(frame.parts))
      missing = parts.count
      first = frame
    }
    guard let first, dump == self.dump, frame.identity == first.identity, frame.offset == first.offset,
      frame.parts == first.parts
    else { return fail() }
    if parts[Int(part)] == nil {
      parts[Int(part)] = body
      missing -= 1
    }
    if missing == 0 { return complete(first) }
    var actions: [Action] = []
    while actions.count < (part == 0 ? window : 1), next < first.parts {
      actions.append(.request(dump: dump, part: next))
      next += 1
    }
    return actions
  }

  /// Notes that a part was not answered.
  package mutating func timedOut(part: UInt16) -> [Action] {
    guard !isOver else { return [] }
    failures[part, default: 0] += 1
    return part == 0 || failures[part]! >= Self.maxFailures ? fail() : [.request(dump: dump, part: part)]
  }

  /// Notes that the book refuses the dump, or that an answer does not fit.
  package mutating func fail() -> [Action] {
    if isOver { return [] }
    isOver = true
    parts = []
    return [.failed]
  }

  private mutating func complete(_ first: FeedFrame) -> [Action] {
    isOver = true
    defer { parts = [] }
    if parts.count == 1 { return [.complete(parts[0]!, first.identity, last: first.offset)] }
    var whole = ByteBufferAllocator().buffer(capacity: parts.reduce(0) { $0 + ($1?.readableBytes ?? 0) })
    for part in parts { if let part { whole.writeImmutableBuffer(part) } }
    return [.complete(whole, first.identity, last: first.offset)]
  }
}
