import AccountModel
import Platform

/// The streams and dependents of sessions, and the delivery of events to them.
extension AccountHub {
  struct Stream {
    /// The stream's queue, owned by the reader.
    ///
    /// NB: Must be weak: a queue that its reader releases removes itself from the hub.
    weak var queue: EventStreamQueue?
    let session: PlayerSession
    /// The time at which data was last sent, in milliseconds since 1970.
    var lastSent: Int64
    let onBehind: @Sendable () -> Void
  }

  struct Dependent {
    let sessionID: String
    let onEnd: @Sendable (SessionEnd.Cause?) -> Void
  }

  /// The work to do after the lock is released.
  struct DeferredEffects {
    var calls: [@Sendable () -> Void] = []
    /// The queues to keep alive until the lock is released.
    ///
    /// NB: The deinitializer of a queue calls the hub, which takes the lock.
    var held: [EventStreamQueue] = []
  }

  struct State {
    var accounts: SimulatedAccounts
    var streams: [UInt64: Stream] = [:]
    var dependents: [UInt64: Dependent] = [:]
    /// The last number given to a stream or dependent.
    var lastNumber: UInt64 = 0
    var counts = Counts()
    var isDraining = false
    /// Active while there is a stream or a dependent.
    var timer: RepeatingTimer?

    mutating func publish(_ news: SimulatedAccounts.News, _ now: Int64, _ effects: inout DeferredEffects) {
      switch news {
      case .event(let event, let playerID):
        let text = event.text
        for (number, stream) in streams
        where stream.session.playerID == playerID && (event.session ?? stream.session.id) == stream.session.id {
          push(text, to: number, now, &effects)
        }
      case .ended(let session, let cause):
        for (number, stream) in streams where stream.session.id == session.id {
          streams[number] = nil
          guard let queue = stream.queue else { continue }
          effects.held.append(queue)
          queue.end()
        }
        for (number, dependent) in dependents where dependent.sessionID == session.id {
          dependents[number] = nil
          effects.calls.append { dependent.onEnd(cause) }
        }
      }
    }

    /// Returns the events of a session's streams after an event, in the format of Server-Sent Events. Of more than
    /// `bytes` bytes, returns the newest events that fit.
    func missed(by session: PlayerSession, since event: UInt64, most bytes: Int) -> [[UInt8]] {
      var room = bytes
      let newest = accounts.events(after: event, of: session).map(\.text).reversed().prefix { text in
        room -= text.count
        return room >= 0
      }
      return newest.reversed()
    }

    /// Sends a keep-alive comment to the streams that have been silent for `silence` milliseconds.
    mutating func keepAlive(after silence: Int64, _ now: Int64, _ effects: inout DeferredEffects) {
      for (number, stream) in streams where now - stream.lastSent >= silence {
        push(Array(": keep-alive\n\n".utf8), to: number, now, &effects)
      }
    }

    private mutating func push(_ text: [UInt8], to number: UInt64, _ now: Int64, _ effects: inout DeferredEffects) {
      guard let stream = streams[number], let queue = stream.queue else { return }
      effects.held.append(queue)
      if queue.push(text) {
        streams[number]!.lastSent = now
      } else {
        streams[number] = nil
        counts.streamsBehind += 1
        queue.end()
        effects.calls.append(stream.onBehind)
      }
    }
  }
}
