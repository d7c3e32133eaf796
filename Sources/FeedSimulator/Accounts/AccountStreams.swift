package import AccountModel
import Platform

/// The streams and dependents of sessions, and the delivery of events to them. A value: its owner has the sessions, a
/// lock and the time, in milliseconds since 1970.
package struct AccountStreams: Sendable {
  private struct Stream {
    /// The stream's queue, owned by the reader.
    ///
    /// NB: Must be weak: a queue that its reader releases removes itself from the owner of the streams.
    weak var queue: EventStreamQueue?
    let session: PlayerSession
    /// The time at which data was last sent.
    var lastSent: Int64
    let onBehind: @Sendable () -> Void
  }

  private struct Dependent {
    let sessionID: String
    let onEnd: @Sendable (SessionEnd.Cause?) -> Void
    let onLoss: @Sendable () -> Void
  }

  /// The work to do after the owner's lock is released.
  package struct Effects: Sendable {
    fileprivate var calls: [@Sendable () -> Void] = []
    /// The queues to keep alive until the lock is released.
    ///
    /// NB: The deinitializer of a queue calls its owner, which takes the lock.
    fileprivate var held: [EventStreamQueue] = []

    package init() {}

    /// Does the work.
    package consuming func perform() { for call in calls { call() } }
  }

  private let limits: AccountHub.Limits
  private var streams: [UInt64: Stream] = [:]
  private var dependents: [UInt64: Dependent] = [:]
  /// The last number given to a stream or dependent.
  private var lastNumber: UInt64 = 0
  private var isDraining = false
  private var figures = AccountHub.Counts()

  package init(limits: AccountHub.Limits) { self.limits = limits }

  /// The counts, without the number of sessions.
  package var counts: AccountHub.Counts {
    var counts = figures
    counts.streams = streams.count
    return counts
  }

  package var isEmpty: Bool { streams.isEmpty && dependents.isEmpty }

  /// The queues of the open streams.
  package var queues: [EventStreamQueue] { streams.values.compactMap(\.queue) }

  /// The players that have a stream.
  package var playerIDs: Set<String> { Set(streams.values.map(\.session.playerID)) }

  // MARK: Streams and dependents

  /// Throws a refusal if another stream of a session would exceed a limit.
  package func check(_ session: PlayerSession) throws(AccountHub.Refusal) {
    guard streams.count < limits.streams, !isDraining,
      streams.values.count(where: { $0.session.id == session.id }) < limits.streamsOfSession
    else { throw .tooMany }
  }

  /// Opens a stream of an open session. It begins with the newest of `missed` that fit in half of `unreadBytes`.
  ///
  /// - Parameter onClose: Called with the number of the stream when its reader closes or releases it.
  package mutating func open(
    _ session: PlayerSession, missed: [AccountEvent], now: Int64, onBehind: @escaping @Sendable () -> Void,
    onClose: @escaping @Sendable (UInt64) -> Void
  ) throws(AccountHub.Refusal) -> EventStreamQueue {
    try check(session)
    lastNumber += 1
    let number = lastNumber
    let queue = EventStreamQueue(bound: limits.unreadBytes) { onClose(number) }
    streams[number] = Stream(queue: queue, session: session, lastSent: now, onBehind: onBehind)
    figures.streamsBegun += 1
    _ = queue.push(Array("retry: 200\n\n".utf8))
    for text in AccountEvent.newest(missed, bytes: limits.unreadBytes / 2).map(\.text) { _ = queue.push(text) }
    return queue
  }

  /// Adds an object that depends on an open session. Returns its number.
  ///
  /// - Parameters:
  ///   - onLoss: Called when it is no longer known whether the session is open.
  ///   - onEnd: Called when the session ends, with nil for a logout.
  package mutating func attach(
    _ sessionID: String, onLoss: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable (SessionEnd.Cause?) -> Void
  ) -> UInt64 {
    lastNumber += 1
    dependents[lastNumber] = Dependent(sessionID: sessionID, onEnd: onEnd, onLoss: onLoss)
    return lastNumber
  }

  /// Removes a stream or a dependent by its number.
  package mutating func detach(_ number: UInt64) {
    dependents[number] = nil
    streams[number] = nil
  }

  /// Refuses new streams. Returns the open ones, to be closed after the owner's lock is released.
  package mutating func drain() -> [EventStreamQueue] {
    isDraining = true
    return queues
  }

  // MARK: Delivery

  package mutating func publish(_ news: SimulatedAccounts.News, _ now: Int64, _ effects: inout Effects) {
    switch news {
    case .event(let event, let playerID):
      let text = event.text
      for (number, stream) in streams
      where stream.session.playerID == playerID && (event.session ?? stream.session.id) == stream.session.id {
        push(text, to: number, now, &effects)
      }
    case .ended(let session, let cause):
      end(&effects) { $0.id == session.id }
      for (number, dependent) in dependents where dependent.sessionID == session.id {
        dependents[number] = nil
        effects.calls.append { dependent.onEnd(cause) }
      }
    }
  }

  /// Ends the streams of sessions that meet a condition, without an event.
  package mutating func end(_ effects: inout Effects, where isMet: (PlayerSession) -> Bool) {
    for (number, stream) in streams where isMet(stream.session) {
      streams[number] = nil
      guard let queue = stream.queue else { continue }
      effects.held.append(queue)
      queue.end()
    }
  }

  /// Ends all streams and notifies all dependents, because it is no longer known which sessions are open.
  package mutating func endAll(_ effects: inout Effects) {
    end(&effects) { _ in true }
    effects.calls += dependents.values.map(\.onLoss)
    dependents = [:]
  }

  /// Sends a keep-alive comment to the streams that have been silent for `Limits.keepAlive`.
  package mutating func keepAlive(_ now: Int64, _ effects: inout Effects) {
    for (number, stream) in streams where now - stream.lastSent >= limits.keepAlive {
      push(Array(": keep-alive\n\n".utf8), to: number, now, &effects)
    }
  }

  private mutating func push(_ text: [UInt8], to number: UInt64, _ now: Int64, _ effects: inout Effects) {
    guard let stream = streams[number], let queue = stream.queue else { return }
    effects.held.append(queue)
    if queue.push(text) {
      streams[number]!.lastSent = now
    } else {
      streams[number] = nil
      figures.streamsBehind += 1
      queue.end()
      effects.calls.append(stream.onBehind)
    }
  }
}
