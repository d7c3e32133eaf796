import FeedFanOut
import FeedSimulator
import OddsModel
import Platform

extension BookOrigin {
  /// Creates the origin of the accounts' topics.
  init(accounts state: Locked<AccountBook.State>, interval: Duration) {
    self.init(interval: interval) { topic in
      if topic == AccountTopics.sessions { return true }
      guard let player = AccountTopics.player(of: topic) else { return false }
      return state.withLock { state in
        if state.accounts.log(of: player) == nil { return false }
        state.outbox.open(player: player)
        return true
      }
    } close: { topic in
      if let player = AccountTopics.player(of: topic) { state.withLock { $0.outbox.close(player: player) } }
    } dump: { topic in
      if topic == AccountTopics.sessions {
        let dump = state.withLock { $0.outbox.dump }
        return { AccountJSON.encode(dump) }
      }
      guard let log = AccountTopics.player(of: topic).flatMap({ id in state.withLock { $0.accounts.log(of: id) } })
      else { return nil }
      let events = AccountEvent.newest(log.events, bytes: PlayerDump.maxBytes)
      return { AccountJSON.encode(PlayerDump(last: log.lastID, events: events.map { EventRecord($0) })) }
    } advance: { _ in
      state.withLock { $0.outbox.drain() }
    }
  }
}
