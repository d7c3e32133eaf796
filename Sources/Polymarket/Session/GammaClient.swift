import JSONText
import Localization
package import OddsFeed
import OddsModel
import Platform

/// The requests for the events of a topic to Gamma, Polymarket's interface for names (Gamma.md).
package struct GammaClient: Sendable {
  /// The largest number of events of one answer.
  static let pageSize = 100
  /// The largest number of answers for one day or league.
  static let maxPages = 5
  /// The tag of games, as opposed to events such as the winner of a season.
  static let gameTag = 100_639

  /// A league of Gamma.
  private struct League {
    /// The id of the series with its games.
    var series: String?
    /// The ids of its tags.
    var tags: Set<String> = []
  }

  private let server: any DocumentFetcher
  /// The leagues of Gamma by their codes; nil until they are requested.
  private let leagues = Locked<[String: League]?>(nil)

  /// Creates a client of a server of Gamma.
  package init(_ server: any DocumentFetcher) { self.server = server }

  /// Returns the games of a topic in the order of their starts. The games of a list have their main markets only, that
  /// of `/event` has all. `now` is in milliseconds since 1970.
  func events(of query: PolymarketTopic, now: Int64) async throws(FeedError) -> [GammaEvent] {
    switch query {
    case .live(let sport, let limit):
      // NB: a game of yesterday by UTC may go on.
      let events = try await games(ofDay: now - 86_400_000) + games(ofDay: now)
      let live = events.filter { event in
        !event.hasEnded && (event.isLive || event.startTime.map { now - GammaEvent.maxGame..<now ~= $0 } ?? false)
      }
      return Self.list(try await games(of: sport, among: live), limit)
    case .today(let sport, let limit):
      let events = try await games(ofDay: now)
      return Self.list(try await games(of: sport, among: events), limit)
    case .league(let league, let limit):
      let id = try await series(of: league)
      return Self.list(try await pages("series_id=\(id)&tag_id=\(Self.gameTag)", limit: limit), limit)
    case .event(let id): return try await read("/events?id=\(id)").events.filter { $0.id == id }
    case .none: return []
    }
  }

  /// Returns the games that Gamma lists for the day of a time by UTC.
  private func games(ofDay time: Int64) async throws(FeedError) -> [GammaEvent] {
    try await pages("event_date=\(ISOTime.text(time).prefix(10))", limit: .max)
  }

  /// Returns the games of a sport among events; all events if it is nil.
  private func games(of sport: PolymarketSport?, among events: [GammaEvent]) async throws(FeedError) -> [GammaEvent] {
    guard let sport else { return events }
    let games = events.filter(\.isGame)
    let known = try await leagues(with: Set(games.map(\.league)))
    return games.filter { sport.includes(league: $0.league, tags: known[$0.league]?.tags ?? []) }
  }

  /// Returns the open events that Gamma selects, of as many pages as `limit` games need; at most of `maxPages`.
  private func pages(_ selection: String, limit: Int) async throws(FeedError) -> [GammaEvent] {
    let size = min(limit, Self.pageSize)
    var events: [GammaEvent] = []
    for page in 0..<Self.maxPages {
      let list = try await read(
        "/events?\(selection)&active=true&closed=false&order=startTime&ascending=true&limit=\(size)"
          + "&offset=\(page * size)")
      events += list.events
      if list.elementCount < size || events.count(where: \.isGame) >= limit { break }
    }
    return events
  }

  private static func list(_ events: [GammaEvent], _ limit: Int) -> [GammaEvent] {
    var seen: Set<UInt64> = []
    let games = events.filter { $0.isGame && seen.insert($0.id).inserted }
    return games.map(\.main).sorted { left, right in
      let starts = (left.startTime ?? .max, right.startTime ?? .max)
      return starts.0 != starts.1 ? starts.0 < starts.1 : left.id < right.id
    }.prefix(limit).map(\.self)
  }

  private func read(_ path: String) async throws(FeedError) -> GammaEvents {
    let body = try await server.get(path)
    let list = body.withUnsafeBufferPointer { bytes in
      JSONCursor.isOneValue(bytes) && bytes.first { $0 > 0x20 } == UInt8(ascii: "[") ? try? GammaEvents(bytes) : nil
    }
    guard let list else { throw FeedError(.polymarketNoList, path, remedy: .remedyCheckIsFeed) }
    return list
  }

  /// Returns the id of the series with the games of a league.
  private func series(of league: String) async throws(FeedError) -> String {
    guard let found = try await leagues(with: [league])[league]?.series else {
      throw FeedError(.polymarketNoLeague, league, remedy: .remedyPolymarketLeague).permanent()
    }
    return found
  }

  /// Returns the leagues of Gamma. They are requested again if those that are known lack one of the codes.
  private func leagues(with codes: Set<String>) async throws(FeedError) -> [String: League] {
    if let known = leagues.withLock({ $0 }), codes.allSatisfy({ known[$0] != nil }) { return known }
    let body = try await server.get("/sports")
    let all = body.withUnsafeBufferPointer { bytes in try? Self.leagues(in: bytes) }
    guard let all else { throw FeedError(.polymarketNoList, "/sports", remedy: .remedyCheckIsFeed) }
    leagues.withLock { $0 = all }
    return all
  }

  private static func leagues(in bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> [String: League] {
    var leagues: [String: League] = [:]
    var cursor = JSONCursor(bytes)
    _ = try cursor.objects { cursor throws(JSONError) in
      var code = ""
      var league = League()
      try cursor.fields { key, cursor throws(JSONError) in
        switch String(decoding: key, as: UTF8.self) {
        case "sport": code = try Gamma.text(&cursor)
        case "series":
          let id = try Gamma.number(&cursor)
          league.series = id.map { "\($0)" }
        case "tags":
          let tags = try Gamma.text(&cursor)
          league.tags = Set(tags.split(separator: ",").map(String.init))
        default: try cursor.skip()
        }
        return true
      }
      leagues[code] = league
    }
    return leagues
  }
}
