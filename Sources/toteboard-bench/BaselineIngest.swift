import Foundation

/// The baseline for the engine: Foundation's decoder, one dictionary per record type, and the ids of the matches that
/// each message changes.
struct BaselineIngest {
  private let text: FeedText
  private var store = BaselineStore()

  init(_ text: FeedText) {
    self.text = text
  }

  mutating func run() throws -> IngestReport {
    let decoder = JSONDecoder()
    let data = Data(text.bytes)
    var changed = 0
    var failure: (any Error)?
    let wall = ContinuousClock().measure {
      text.eachLine { _, line in
        do {
          let message = try decoder.decode(BaselineMessage.self, from: data[line])
          changed += store.apply(message).count
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
    guard changed > 0 else { throw FeedText.Failure.noFeed }
    return IngestReport(
      name: "Foundation", updates: store.updates, bytes: text.bytes.count, seconds: wall / .seconds(1),
      offers: store.offers.count, sum: store.offers.values.reduce(0) { $0 + ($1.odds ?? 0) })
  }
}

struct BaselineStore {
  private var matches: [String: BaselineMatch] = [:]
  private var markets: [String: BaselineMarket] = [:]
  private var outcomes: [String: BaselineOutcome] = [:]
  private(set) var offers: [String: BaselineOffer] = [:]
  private(set) var updates = 0

  /// Applies a message and returns the ids of the matches that it may change.
  mutating func apply(_ message: BaselineMessage) -> Set<String> {
    var touched: Set<String> = []
    if message.messageType == "INITIAL_DUMP" {
      (matches, markets, outcomes, offers) = ([:], [:], [:], [:])
    }
    for record in message.records { apply(record, &touched) }
    return touched
  }

  private mutating func apply(_ record: BaselineRecord, _ touched: inout Set<String>) {
    switch record {
    case .match(let match):
      matches[match.id] = match
      touched.insert(match.id)
    case .market(let market):
      markets[market.id] = market
      touch(market: market.id, &touched)
    case .outcome(let outcome):
      outcomes[outcome.id] = outcome
      touch(outcome: outcome.id, &touched)
    case .relation(let relation):
      outcomes[relation.outcomeId]?.marketId = relation.marketId
      touch(market: relation.marketId, &touched)
    case .offer(let offer):
      offers[offer.id] = offer
      touch(offer: offer.id, &touched)
    case .change(let change): apply(change, &touched)
    case .other: break
    }
  }

  private mutating func apply(_ change: BaselineChange, _ touched: inout Set<String>) {
    switch change.changeType {
    case "UPDATE":
      updates += 1
      if let new = change.offer {
        offers[change.id]?.take(new)
        touch(offer: change.id, &touched)
      } else if let new = change.market {
        markets[change.id]?.take(new)
        touch(market: change.id, &touched)
      }
    case "CREATE": if let entity = change.entity { apply(entity, &touched) }
    case "DELETE":
      touch(offer: change.id, &touched)
      touch(market: change.id, &touched)
      offers[change.id] = nil
      outcomes[change.id] = nil
      markets[change.id] = nil
      matches[change.id] = nil
    default: break
    }
  }

  private func touch(offer: String, _ touched: inout Set<String>) {
    if let outcome = offers[offer]?.outcomeId { touch(outcome: outcome, &touched) }
  }

  private func touch(outcome: String, _ touched: inout Set<String>) {
    if let market = outcomes[outcome]?.marketId { touch(market: market, &touched) }
  }

  private func touch(market: String, _ touched: inout Set<String>) {
    if let match = markets[market]?.eventId { touched.insert(match) }
  }
}

extension BaselineOffer {
  fileprivate mutating func take(_ new: BaselineOfferChange) {
    odds = new.odds ?? odds
    statusId = new.statusId ?? statusId
    isAvailable = new.isAvailable ?? isAvailable
    lastChangedTime = new.lastChangedTime ?? lastChangedTime
  }
}

extension BaselineMarket {
  fileprivate mutating func take(_ new: BaselineMarketChange) {
    isAvailable = new.isAvailable ?? isAvailable
    isClosed = new.isClosed ?? isClosed
  }
}
