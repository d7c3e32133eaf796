/// The age of what the clients of a topic have. A value: time comes in as an argument.
///
/// The `age` of a message is the time for which its data was already known when it arrived: see `BookPresence.age`.
struct TopicAge: Sendable {
  /// The time of the last message, or of the last check that found none for too long.
  private var heard: Duration
  /// The time at which the data that came with it was known.
  private var dataTime: Duration
  /// The `dataTime` of the last message that clients got before the topic was stale; nil while it is not.
  private var staleSince: Duration?
  /// The time at which `check` first saw that.
  private var staleNoticedAt: Duration?
  private let timing: GatewayTiming

  init(timing: GatewayTiming, age: Duration, now: Duration) {
    self.timing = timing
    heard = now
    dataTime = now - age
  }

  /// True if no message has arrived for too long.
  func isQuiet(now: Duration) -> Bool { now - heard >= timing.quietTimeout }

  /// Notes a message.
  ///
  /// - Parameter isStale: True if the topic was opened and its replica is not current after the message.
  mutating func receive(isStale: Bool, age: Duration, now: Duration) {
    // NB: A message that waits for a dump, such as one of a new book, does not make the clients' data younger.
    if isStale { staleSince = staleSince ?? dataTime }
    heard = now
    dataTime = now - age
  }

  /// Notes that time has passed.
  ///
  /// - Parameters:
  ///   - isOpen: True if the topic was opened.
  ///   - isCurrent: True if its replica is current.
  ///   - age: The age of a message that would arrive now.
  /// - Returns: `asks` if the topic is to ask for a dump because it is quiet, and `isLost` if the clients' data is too
  ///   old.
  mutating func check(isOpen: Bool, isCurrent: Bool, age: Duration, now: Duration) -> (asks: Bool, isLost: Bool) {
    let isQuiet = self.isQuiet(now: now)
    var isLost = false
    if isOpen, isQuiet || !isCurrent {
      let since = staleSince ?? dataTime
      let noticedAt = staleNoticedAt ?? now
      staleSince = since
      staleNoticedAt = noticedAt
      isLost = now - since >= timing.staleTimeout && now - noticedAt >= timing.staleGrace
    } else {
      staleSince = nil
      staleNoticedAt = nil
    }
    if isQuiet {
      heard = now
      dataTime = now - age
    }
    return (isQuiet, isLost)
  }
}
