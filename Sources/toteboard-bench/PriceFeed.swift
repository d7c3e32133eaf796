import FeedSimulator

/// A seeded feed of odds updates in the format of the reference programs: a dump of matches with one market of three
/// outcomes each, then messages of `batch` odds updates, each of which changes the odds of an offer.
struct PriceFeed {
  private static let teams = [
    "Ajax", "Arsenal", "Atalanta", "Barcelona", "Basel", "Benfica", "Bologna", "Braga", "Brugge", "Celta", "Celtic",
    "Chelsea", "Dortmund", "Everton", "Feyenoord", "Fiorentina", "Frankfurt", "Fulham", "Galatasaray", "Genoa",
    "Inter", "Lazio", "Leverkusen", "Liverpool", "Lyon", "Malmo", "Marseille", "Milan", "Monaco", "Napoli", "Newcastle",
    "Olympiacos", "Palermo", "Porto", "Rangers", "Rennes", "Roma", "Salzburg", "Sevilla", "Shakhtar", "Sociedad",
    "Southampton", "Sporting", "Stuttgart", "Torino", "Tottenham", "Twente", "Valencia", "Villarreal", "Wolfsburg",
  ]

  private var random: SeededGenerator
  private var now = 1_749_227_447_608
  private var lastID = 272_181_284_331_364_608
  /// The ids and odds of the offers, the odds in hundredths.
  private var offers: [(id: Int, odds: Int)] = []

  /// Returns the text of the feed. The same arguments produce the same bytes.
  static func text(matches: Int = 100, updates: Int, batch: Int, seed: UInt64 = 1) -> FeedText {
    var feed = PriceFeed(random: SeededGenerator(seed: seed))
    let sport = #"{"_type":"SPORT","id":"\#(feed.nextID())","name":"Football"}"#
    let records = [sport] + (0..<matches).flatMap { feed.match($0) }
    var text = FeedText.message("INITIAL_DUMP", records)
    for made in stride(from: 0, to: updates, by: batch) {
      text += FeedText.message("UPDATE", (0..<min(batch, updates - made)).map { _ in feed.update() })
    }
    return FeedText(bytes: text)
  }

  private init(random: SeededGenerator) { self.random = random }

  private mutating func nextID() -> Int {
    lastID += 256 * (1 + random.index(below: 4096))
    return lastID
  }

  /// Returns the records of a match.
  private mutating func match(_ place: Int) -> [String] {
    let (match, market) = (nextID(), nextID())
    let home = Self.teams[random.index(below: Self.teams.count)]
    let away = Self.teams[random.index(below: Self.teams.count)] + (place < 2000 ? "" : " \(place / 2000)")
    var records = [
      """
      {"_type":"MATCH","id":"\(match)","name":"\(home) - \(away)","homeParticipantName":"\(home)",\
      "awayParticipantName":"\(away)","startTime":\(1_749_225_600_000 + 300_000 * (place % 240)),"sportId":"1",\
      "statusName":"In Progress"}
      """,
      #"{"_type":"MARKET","id":"\#(market)","eventId":"\#(match)","name":"Match Result, Ordinary Time"}"#,
    ]
    for (side, odds) in [("1", 240), ("X", 330), ("2", 310)] {
      let (outcome, offer) = (nextID(), nextID())
      offers.append((offer, odds + random.index(below: 100)))
      records += [
        #"{"_type":"OUTCOME","id":"\#(outcome)","marketId":"\#(market)","name":"\#(side)"}"#,
        """
        {"_type":"BETTING_OFFER","id":"\(offer)","outcomeId":"\(outcome)","odds":\(Double(offers.last!.odds) / 100),\
        "isAvailable":true,"lastChangedTime":\(now)}
        """,
      ]
    }
    return records
  }

  /// Returns the update of a random offer, whose odds change by up to a tenth.
  private mutating func update() -> String {
    now += random.index(below: 4)
    let place = random.index(below: offers.count)
    let old = offers[place].odds
    let step = 1 + random.index(below: max(1, old / 10))
    offers[place].odds = old > 110 && (old > 2000 || random.chance(0.5)) ? max(101, old - step) : old + step
    return """
      {"changeType":"UPDATE","entityType":"BETTING_OFFER","id":"\(offers[place].id)","changedProperties":\
      {"odds":\(Double(offers[place].odds) / 100),"lastChangedTime":\(now)}}
      """
  }
}
