import FeedSimulator
import Foundation
import JSONText
import OddsModel

/// A seeded feed of odds updates in the format of the reference programs: a dump of matches with one market of three
/// outcomes each, then messages of `batch` odds updates, each of which changes the odds of an offer.
struct PriceFeed {
  private struct Offer {
    let id: Int64
    /// The current odds, in hundredths.
    var odds: Int64
    /// The initial odds, in hundredths, towards which updates drift.
    let home: Int64
  }

  private static let teams = [
    "Ajax", "Arsenal", "Atalanta", "Barcelona", "Basel", "Benfica", "Bologna", "Braga", "Brugge", "Celta", "Celtic",
    "Chelsea", "Dortmund", "Everton", "Feyenoord", "Fiorentina", "Frankfurt", "Fulham", "Galatasaray", "Genoa",
    "Inter", "Lazio", "Leverkusen", "Liverpool", "Lyon", "Malmo", "Marseille", "Milan", "Monaco", "Napoli", "Newcastle",
    "Olympiacos", "Palermo", "Porto", "Rangers", "Rennes", "Roma", "Salzburg", "Sevilla", "Shakhtar", "Sociedad",
    "Southampton", "Sporting", "Stuttgart", "Torino", "Tottenham", "Twente", "Valencia", "Villarreal", "Wolfsburg",
  ]

  private var random: SeededGenerator
  private var now: Int64 = 1_749_227_447_608
  private var lastID: Int64 = 272_181_284_331_364_608
  private var offers: [Offer] = []

  /// Returns the text of the feed. The same arguments produce the same bytes.
  static func text(matches: Int = 100, updates: Int, batch: Int, seed: UInt64 = 1) -> FeedText {
    var feed = PriceFeed(random: SeededGenerator(seed: seed))
    var json = JSONWriter(capacity: matches * 1200 + updates * 190)
    json.object { json in
      json.field("messageType", "INITIAL_DUMP")
      json.array("records") { feed.records(matches: matches, into: &$0) }
    }
    json.newline()
    var made = 0
    while made < updates {
      json.object { json in
        json.field("messageType", "UPDATE")
        json.array("records") { json in
          for _ in 0..<min(batch, updates - made) { feed.update(into: &json) }
        }
      }
      json.newline()
      made += batch
    }
    return FeedText(bytes: json.bytes)
  }

  private init(random: SeededGenerator) {
    self.random = random
  }

  private mutating func nextID() -> Int64 {
    lastID += 256 * Int64(1 + random.index(below: 4096))
    return lastID
  }

  private mutating func records(matches: Int, into json: inout JSONWriter) {
    let sport = nextID()
    json.object { json in
      json.field("_type", "SPORT")
      json.field("id", id: sport)
      json.field("name", "Football")
    }
    for place in 0..<matches { self.match(place, sport: sport, into: &json) }
  }

  private mutating func match(_ place: Int, sport: Int64, into json: inout JSONWriter) {
    let (match, market) = (nextID(), nextID())
    let outcomes = [nextID(), nextID(), nextID()]
    let home = Self.teams[random.index(below: Self.teams.count)]
    let away = Self.teams[random.index(below: Self.teams.count)] + (place < 2000 ? "" : " \(place / 2000)")
    json.object { json in
      json.field("_type", "MATCH")
      json.field("id", id: match)
      json.field("name", "\(home) - \(away)")
      json.field("homeParticipantName", home)
      json.field("awayParticipantName", away)
      json.field("startTime", 1_749_225_600_000 + 300_000 * Int64(place % 240))
      json.field("sportId", id: sport)
      json.field("statusName", "In Progress")
    }
    json.object { json in
      json.field("_type", "MARKET")
      json.field("id", id: market)
      json.field("eventId", id: match)
      json.field("name", "Match Result, Ordinary Time")
    }
    for (outcome, side) in zip(outcomes, ["1", "X", "2"]) {
      json.object { json in
        json.field("_type", "OUTCOME")
        json.field("id", id: outcome)
        json.field("marketId", id: market)
        json.field("name", side)
      }
    }
    let (first, draw) = (random.unit(in: 0.1...0.7), random.unit(in: 0.15...0.28))
    for (outcome, chance) in zip(outcomes, [first, draw, max(0.02, 1 - first - draw)]) {
      self.offer(of: outcome, odds: 95 / chance, into: &json)
    }
  }

  private mutating func offer(of outcome: Int64, odds: Double, into json: inout JSONWriter) {
    let offer = Offer(id: nextID(), odds: Self.price(odds), home: Self.price(odds))
    offers.append(offer)
    json.object { json in
      json.field("_type", "BETTING_OFFER")
      json.field("id", id: offer.id)
      json.field("outcomeId", id: outcome)
      json.field("odds", hundredths: offer.odds)
      json.field("isAvailable", true)
      json.field("lastChangedTime", now)
    }
  }

  private mutating func update(into json: inout JSONWriter) {
    now += Int64(random.index(below: 4))
    let place = random.index(below: offers.count)
    let old = offers[place].odds
    let drift = 0.02 * log(Double(offers[place].home) / Double(old))
    var new = Self.price(Double(old) * exp(drift + 0.03 * random.bell()))
    if new == old { new = Self.price(Double(old < 102 || old < 99_900 && random.unit() < 0.5 ? old + 1 : old - 1)) }
    offers[place].odds = new
    json.object { json in
      json.field("changeType", "UPDATE")
      json.field("entityType", "BETTING_OFFER")
      json.field("id", id: offers[place].id)
      json.object("changedProperties") { json in
        json.field("odds", hundredths: new)
        json.field("lastChangedTime", now)
      }
    }
  }

  /// Returns odds rounded and clamped to the valid range, in hundredths.
  private static func price(_ hundredths: Double) -> Int64 { Int64(min(100_000, max(101, hundredths.rounded()))) }
}
