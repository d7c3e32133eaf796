package import NIOCore
package import OddsModel

/// The dumps that gateways fetch part by part. A value: time comes in as an argument.
package struct DumpShelf: Sendable {
  package struct Dump: Sendable {
    package let number: UInt64
    package let topic: Topic
    /// The offset of the last message that it includes.
    package let last: UInt64
    /// Nil while it is being built.
    package fileprivate(set) var payload: ByteBuffer?
    fileprivate let made: Duration
    fileprivate var asked: Duration
  }

  private var dumps: [UInt64: Dump] = [:]
  private var newest: [Topic: UInt64] = [:]
  /// The number of bytes of all payloads.
  package private(set) var bytes = 0
  private var number: UInt64 = 0
  private let timing: BookTiming

  package init(timing: BookTiming) { self.timing = timing }

  /// Returns a dump of the topic that was made a short time ago, finished or not, and includes message `minimum`.
  package mutating func recent(_ topic: Topic, minimum: UInt64, now: Duration) -> Dump? {
    guard let number = newest[topic], let dump = dumps[number], now - dump.made < timing.dumpReuse, dump.last >= minimum
    else { return nil }
    dumps[number]!.asked = now
    return dump
  }

  /// Returns a dump by its number; nil if it is gone or not finished.
  package mutating func dump(_ number: UInt64, now: Duration) -> Dump? {
    guard let dump = dumps[number], dump.payload != nil else { return nil }
    dumps[number]!.asked = now
    return dump
  }

  /// Adds a dump that is being built and returns it.
  package mutating func begin(_ topic: Topic, last: UInt64, now: Duration) -> Dump {
    number += 1
    let dump = Dump(number: number, topic: topic, last: last, payload: nil, made: now, asked: now)
    dumps[number] = dump
    newest[topic] = number
    return dump
  }

  /// Adds the payload. Removes the dumps that were not asked for the longest time if there are too many bytes. Returns
  /// the dump; nil if `removeAll` removed it.
  package mutating func finish(_ number: UInt64, _ payload: ByteBuffer) -> Dump? {
    guard dumps[number] != nil else { return nil }
    dumps[number]!.payload = payload
    bytes += payload.readableBytes
    while bytes > timing.maxDumpBytes,
      let oldest = dumps.values.filter({ $0.payload != nil && $0.number != number }).min(by: { $0.asked < $1.asked })
    {
      remove(oldest)
    }
    return dumps[number]
  }

  /// Removes the finished dumps that nobody asked for lately.
  package mutating func expire(now: Duration) {
    for dump in dumps.values where dump.payload != nil && now - dump.asked >= timing.dumpTimeout { remove(dump) }
  }

  package mutating func removeAll() {
    dumps = [:]
    newest = [:]
    bytes = 0
  }

  private mutating func remove(_ dump: Dump) {
    dumps[dump.number] = nil
    bytes -= dump.payload?.readableBytes ?? 0
    if newest[dump.topic] == dump.number { newest[dump.topic] = nil }
  }
}
