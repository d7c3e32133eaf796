import OddsFeed
import OddsModel
import Platform

// The socket of the sports channel. Its loss does not make prices worse.
extension PolymarketMachine {
  private var games: Set<UInt64> { Set(entries.flatMap { $0.events ?? [] }.compactMap(\.gameID)) }

  /// Opens the socket when there are games, and closes it when there are none.
  mutating func settleSports() {
    let games = games
    scores = scores.filter { games.contains($0.key) }
    if games.isEmpty, let old = sports {
      if old.isCurrent { actions.append(.close(link: old.link)) }
      sports = nil
    } else if !games.isEmpty, sports == nil {
      openSports(attempt: 1)
    }
  }

  mutating func openSports(attempt: Int) {
    let socket = Socket(link: nextNumber(), attempt: attempt, at: now.uptime)
    sports = socket
    actions.append(.connect(.sports, link: socket.link))
  }

  mutating func applySports(_ event: SocketEvent) {
    switch event {
    case .opened: sports?.opened(at: now.uptime)
    case .ping:
      sports?.signOfLife(at: now.uptime)
      if let link = sports?.link { actions.append(.send(Array("pong".utf8), link: link)) }
    case .sports(let game, let text):
      sports?.signOfLife(at: now.uptime)
      if let game { received(text, of: game) }
    case .pong: sports?.signOfLife(at: now.uptime)
    case .progress: sports?.partArrived(at: now.uptime)
    case .garbage, .market: sports?.signOfLife(at: now.uptime)
    case .closed(let error): loseSports(error.problem, isTerminal: error.isTerminal)
    }
  }

  private mutating func received(_ text: [UInt8], of game: UInt64) {
    let readers = entries.filter { entry in entry.events?.contains { $0.gameID == game } ?? false }
    if readers.isEmpty { return }
    scores[game] = text
    // NB: While the market channel is lost, nothing is sent: the scores follow the events when it is back.
    if isUp { for entry in readers { actions.append(.deliver(entry.subscription)) } }
  }

  private mutating func loseSports(_ why: FeedError, isTerminal: Bool = false) {
    if sports?.lost(why, isTerminal: isTerminal, at: now) == true { openSports(attempt: 1) }
  }

  mutating func sportsTimePassed() {
    guard let sports else { return }
    switch sports.phase {
    case .connecting(_, let deadline) where now.uptime >= deadline:
      actions.append(.close(link: sports.link))
      loseSports(.noHandshake)
    case .waiting(let retry, let until) where now.uptime >= until: openSports(attempt: retry.attempt)
    case .open(let connection) where now.uptime >= connection.lastSign + PolymarketTiming.sportsSilence:
      actions.append(.close(link: sports.link))
      loseSports(.silent)
    case .connecting, .open, .waiting, .failed: break
    }
  }
}
