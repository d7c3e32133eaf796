import OddsFeed
import OddsModel

// The fields of an event's records.
extension PolymarketDecoder {
  func append(_ market: EventLayout.Market, to batch: inout FeedBatch) {
    batch.set(.name, text: market.name.utf8)
    batch.set(.firstNumber, market.line.map { .fixed($0) } ?? .null)
    batch.set(.isMainLine, .flag(market.isMainLine))
    batch.set(.isAvailable, .flag(market.status == .open))
    batch.set(.isClosed, .flag(market.status == .closed))
  }

  func append(_ market: EventLayout.Market, isAwaiting: Bool, to batch: inout FeedBatch) {
    batch.set(.status, .integer(Int64(market.status.rawValue)))
    batch.set(.betDelay, market.delay.map { .integer($0) } ?? .null)
    batch.set(.isAwaitingImage, .flag(isAwaiting))
  }

  func appendNames(of event: GammaEvent, to batch: inout FeedBatch) {
    batch.set(.name, text: event.title.utf8)
    if let (first, second) = event.participants {
      batch.set(.homeName, text: first.utf8)
      batch.set(.awayName, text: second.utf8)
    } else {
      batch.set(.homeName, .null)
      batch.set(.awayName, .null)
    }
    batch.set(.tournamentName, text: Leagues.name(of: event.league).utf8)
    batch.set(.startTime, event.startTime.map { .integer($0) } ?? .null)
  }

  func appendStatus(of event: GammaEvent, to batch: inout FeedBatch) {
    let isOver = event.hasEnded || event.isClosed
    let status: MatchStatus = if isOver { .ended } else if event.isLive { .inProgress } else { .pending }
    batch.set(.status, .integer(Int64(status.rawValue)))
    let isClockShown = GameState.minute(event.elapsed) == nil
    let part = [event.period, isClockShown ? event.elapsed : ""].filter { !$0.isEmpty }.joined(separator: " ")
    if part.isEmpty { batch.set(.partName, .null) } else { batch.set(.partName, text: part.utf8) }
  }

  /// Publishes the score and the clock of a game. The ids of their records are four times the event's plus 1 and 2.
  func appendState(of event: GammaEvent, _ entry: inout Event, to batch: inout FeedBatch) {
    let score = GameState.score(event.score, isTennis: Leagues.isTennis(event.league))
    append(4 * event.id + 1, .score, of: event.id, score.map { ($0.home, $0.away) }, &entry.hasScore, to: &batch)
    let minute = GameState.minute(event.elapsed)
    append(4 * event.id + 2, .minute, of: event.id, minute.map { ($0, nil) }, &entry.hasMinute, to: &batch)
  }

  /// The values of `infoType` that the store shows: see `EventInfoContent.Kind`.
  private enum Info: Int64 {
    case score = 1
    case minute = 5
  }

  private func append(
    _ id: UInt64, _ info: Info, of eventID: UInt64, _ numbers: (Int, Int?)?, _ isKnown: inout Bool,
    to batch: inout FeedBatch
  ) {
    guard let (first, second) = numbers else {
      if isKnown { batch.appendRecord(.eventInfo, .delete, id: id) { _ in } }
      isKnown = false
      return
    }
    batch.appendRecord(.eventInfo, isKnown ? .update : .create, id: id) { batch in
      if !isKnown {
        batch.set(.matchID, .id(eventID))
        batch.set(.infoType, .integer(info.rawValue))
      }
      batch.set(.firstNumber, .fixed(Int64(first) * OrderBook.one))
      if let second { batch.set(.secondNumber, .fixed(Int64(second) * OrderBook.one)) }
    }
    isKnown = true
  }
}
