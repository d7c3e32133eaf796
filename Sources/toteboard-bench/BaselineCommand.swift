import ArgumentParser
import Foundation

/// The baseline: Foundation's decoder, a dictionary per record type, and the ids of the matches that a message changes.
struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Run the same work with Foundation's JSONDecoder and dictionaries.")

  @Argument(help: "Feed file, one message per line.")
  var file: String

  mutating func run() throws {
    let text = try FeedText(path: file)
    let decoder = JSONDecoder()
    let data = Data(text.bytes)
    var store = BaselineStore()
    var changed = 0
    var failure: (any Error)?
    let wall = ContinuousClock().measure {
      text.eachLine { _, line in
        do { changed += store.apply(try decoder.decode(BaselineMessage.self, from: data[line])).count } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    guard changed > 0 else { throw BenchError.noFeed }
    let report = IngestReport(
      name: "Foundation", updates: store.updates, bytes: text.bytes.count, time: wall, offers: store.offers.count,
      sum: store.offers.values.reduce(0) { $0 + ($1.odds ?? 0) })
    print(report.json)
  }
}

private struct BaselineStore {
  private var matches: [String: BaselineRecord.Match] = [:]
  private var markets: [String: BaselineRecord.Market] = [:]
  private var outcomes: [String: BaselineRecord.Outcome] = [:]
  private(set) var offers: [String: BaselineRecord.Offer] = [:]
  private(set) var updates = 0

  /// Applies a message and returns the ids of the matches that it may change.
  mutating func apply(_ message: BaselineMessage) -> Set<String> {
    var changed: Set<String> = []
    if message.messageType == "INITIAL_DUMP" {
      matches = [:]
      markets = [:]
      outcomes = [:]
      offers = [:]
    }
    for record in message.records { apply(record, &changed) }
    return changed
  }

  private mutating func apply(_ record: BaselineRecord, _ changed: inout Set<String>) {
    switch record {
    case .match(let match):
      matches[match.id] = match
      changed.insert(match.id)
    case .market(let market):
      markets[market.id] = market
      mark(market: market.id, &changed)
    case .outcome(let outcome):
      outcomes[outcome.id] = outcome
      mark(market: outcome.marketId, &changed)
    case .relation(let relation):
      outcomes[relation.outcomeId]?.marketId = relation.marketId
      mark(market: relation.marketId, &changed)
    case .offer(let offer):
      offers[offer.id] = offer
      mark(offer: offer.id, &changed)
    case .change(let change): apply(change, &changed)
    case .other: break
    }
  }

  private mutating func apply(_ change: BaselineRecord.Change, _ changed: inout Set<String>) {
    if change.changeType == "UPDATE" { updates += 1 }
    if let new = change.properties {
      offers[change.id]?.apply(new)
      markets[change.id]?.apply(new)
    }
    if let entity = change.entity { return apply(entity, &changed) }
    mark(offer: change.id, &changed)
    mark(market: change.id, &changed)
    guard change.changeType == "DELETE" else { return }
    offers[change.id] = nil
    outcomes[change.id] = nil
    markets[change.id] = nil
    matches[change.id] = nil
  }

  private func mark(offer: String, _ changed: inout Set<String>) {
    if let outcome = offers[offer]?.outcomeId { mark(market: outcomes[outcome]?.marketId, &changed) }
  }

  private func mark(market: String?, _ changed: inout Set<String>) {
    if let market, let match = markets[market]?.eventId { changed.insert(match) }
  }
}
