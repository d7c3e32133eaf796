import AccountModel
import FoundationCore
import OddsFeed
import OddsModel

/// A list of the REST interface (REST.md). Invalid elements are skipped and counted in `rejected`.
struct APIList<Element: Decodable>: Decodable {
  private(set) var elements: [Element] = []
  private(set) var rejected = 0

  private struct DecodingAttempt: Decodable {
    let element: Element?

    init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
  }

  init(json: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(json)) }

  init(from decoder: any Decoder) throws {
    for attempt in try [DecodingAttempt](from: decoder) {
      if let element = attempt.element { elements.append(element) } else { rejected += 1 }
    }
  }
}

/// An element of `/api/matches`.
struct APIMatch: Decodable {
  let id: String
  let home: String
  let away: String
  /// The start time, in milliseconds since 1970.
  let startTime: Int64?

  private enum Key: String, CodingKey {
    case matchID, teamA, teamB, startTime
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = try fields.decode(WireID.self, forKey: .matchID).text
    home = try fields.decode(String.self, forKey: .teamA)
    away = try fields.decode(String.self, forKey: .teamB)
    startTime = (try? fields.decodeIfPresent(String.self, forKey: .startTime)).flatMap { $0 }.flatMap(
      ISOTime.milliseconds)
  }
}

/// An element of `/api/odds`.
struct APIOdds: Decodable {
  let id: String
  let home: DecimalOdds?
  let draw: DecimalOdds?
  let away: DecimalOdds?
  let hasDraw: Bool

  private enum Key: String, CodingKey {
    case matchID, teamAOdds, drawOdds, teamBOdds
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = try fields.decode(WireID.self, forKey: .matchID).text
    home = try Self.odds(fields, .teamAOdds)
    draw = try Self.odds(fields, .drawOdds)
    away = try Self.odds(fields, .teamBOdds)
    hasDraw = fields.contains(.drawOdds)
  }

  private static func odds(_ fields: KeyedDecodingContainer<Key>, _ key: Key) throws -> DecimalOdds? {
    guard let value = try fields.decodeIfPresent(Double.self, forKey: key) else { return nil }
    guard value.isFinite, 1...1_000_000 ~= value else {
      throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: "odds out of range")
    }
    // A Double is exact enough for seven decimals of numbers up to a million.
    return DecimalOdds(units: Int64((value * Double(DecimalOdds.unitsPerOne)).rounded()))
  }
}

extension APISnapshot {
  /// Creates a snapshot that combines each match with its prices from the other list.
  init(matches: APIList<APIMatch>, odds: APIList<APIOdds>) {
    let prices = Dictionary(odds.elements.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    self.init(
      rows: matches.elements.map { match in
        let price = prices[match.id]
        return Row(
          matchID: match.id, home: match.home, away: match.away, startTime: match.startTime, homeOdds: price?.home,
          drawOdds: price?.draw, awayOdds: price?.away, hasDraw: price?.hasDraw ?? false)
      }, rejected: matches.rejected + odds.rejected)
  }
}
