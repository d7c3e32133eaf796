import AccountModel
import Dispatch

/// What hangs on sessions, and what it is told.
extension AccountHub {
  struct Stream {
    /// NB: whoever reads holds the queue; one that is dropped closes itself.
    weak var queue: EventStreamQueue?
    let session: PlayerSession
    /// When it was last told something, in milliseconds since 1970.
    var lastTold: Int64
    let onBehind: @Sendable () -> Void
  }

  struct Dependent {
    let sessionID: String
    let onEnd: @Sendable (SessionEnd.Cause?) -> Void
  }

  /// What is done once the lock is given back.
  struct DeferredEffects {
    var calls: [@Sendable () -> Void] = []
    /// NB: the last reference to a stream must not go while the lock is held, as the stream then closes itself.
    var held: [EventStreamQueue] = []
  }

  struct State {
    var accounts: SimulatedAccounts
    var streams: [UInt64: Stream] = [:]
    var dependents: [UInt64: Dependent] = [:]
    /// Of streams and dependents.
    var lastNumber: UInt64 = 0
    var counts = Counts()
    var isDraining = false
    /// Runs while a stream or a dependent is there.
    var timer: (any DispatchSourceTimer)?

    mutating func tell(_ news: SimulatedAccounts.News, _ now: Int64, _ aftermath: inout DeferredEffects) {
      switch news {
      case .event(let event, let playerID):
        let text = event.text
        for (number, stream) in streams
        where stream.session.playerID == playerID && (event.session ?? stream.session.id) == stream.session.id {
          push(text, to: number, now, &aftermath)
        }
      case .ended(let session, let cause):
        for (number, stream) in streams where stream.session.id == session.id {
          streams[number] = nil
          guard let queue = stream.queue else { continue }
          aftermath.held.append(queue)
          queue.end()
        }
        for (number, dependent) in dependents where dependent.sessionID == session.id {
          dependents[number] = nil
          aftermath.calls.append { dependent.onEnd(cause) }
        }
      }
    }

    /// What a session's streams were told after an event; where that is more than so many bytes, the newest of it, which is
    /// what counts.
    func missed(by session: PlayerSession, since event: UInt64, most bytes: Int) -> [[UInt8]] {
      var room = bytes
      let newest = accounts.events(after: event, of: session).map(\.text).reversed().prefix { text in
        room -= text.count
        return room >= 0
      }
      return newest.reversed()
    }

    /// Tells those that have heard nothing for so many milliseconds that they live.
    mutating func keepAlive(after silence: Int64, _ now: Int64, _ aftermath: inout DeferredEffects) {
      for (number, stream) in streams where now - stream.lastTold >= silence {
        push(Array(": keep-alive\n\n".utf8), to: number, now, &aftermath)
      }
    }

    private mutating func push(_ text: [UInt8], to number: UInt64, _ now: Int64, _ aftermath: inout DeferredEffects) {
      guard let stream = streams[number], let queue = stream.queue else { return }
      aftermath.held.append(queue)
      if queue.push(text) {
        streams[number]!.lastTold = now
      } else {
        streams[number] = nil
        counts.streamsBehind += 1
        queue.end()
        aftermath.calls.append(stream.onBehind)
      }
    }
  }
}
