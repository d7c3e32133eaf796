package import AccountModel
import JSONText
import Localization
import OddsModel

/// A list of markets with their names.
struct Catalogue: Hashable, Sendable {
  var markets: [String] = []
  /// The list as JSON.
  var result: [UInt8] = []
}

/// The requests for the names of markets to Betfair's betting API (Catalogue.md).
package struct CatalogueClient: Sendable {
  private static let path = "/exchange/betting/json-rpc/v1"

  private let service: any WebService
  private let appKey: Secret

  package init(_ service: any WebService, appKey: Secret) {
    self.service = service
    self.appKey = appKey
  }

  /// Returns the markets that a subscription selects, at most `limit`, those that start first.
  func markets(
    of subscription: MarketSubscription, limit: Int, token: Secret
  ) async -> Result<Catalogue, CatalogueError> {
    let answer: ServiceAnswer
    do throws(ConnectionError) {
      answer = try await service.post(
        ServiceRequest(
          path: Self.path, contentType: "application/json", appKey: appKey, token: token,
          body: Secret(String(decoding: Self.request(subscription, limit), as: UTF8.self))))
    } catch { return .failure(CatalogueError(kind: .temporary, problem: error.problem)) }
    return answer.body.withUnsafeBufferPointer { Self.read($0, status: answer.status) }
  }

  /// Returns the body of a request. NB: The projections do not count towards Betfair's limit of data, so `maxResults`
  /// alone limits the number of markets (Catalogue.md).
  private static func request(_ subscription: MarketSubscription, _ limit: Int) -> [UInt8] {
    var json = JSONWriter(capacity: 512)
    json.object { json in
      json.field("jsonrpc", "2.0" as StaticString)
      json.field("method", "SportsAPING/v1.0/listMarketCatalogue" as StaticString)
      json.object("params") { json in
        json.object("filter") { subscription.writeCatalogueFilter(to: &$0) }
        json.array("marketProjection") { json in
          for part in ["EVENT", "COMPETITION", "RUNNER_DESCRIPTION"] { json.element(part) }
        }
        json.field("sort", "FIRST_TO_START" as StaticString)
        json.field("maxResults", Int64(limit))
      }
      json.field("id", 1)
    }
    return json.bytes
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>, status: Int) -> Result<Catalogue, CatalogueError> {
    let unreadable = FeedError(.betfairNoNames, "HTTP \(status)", remedy: .remedyAskedAgain)
    guard JSONCursor.isOneValue(bytes) else { return .failure(CatalogueError(kind: .temporary, problem: unreadable)) }
    var catalogue: Catalogue?
    var code: String?
    var cursor = JSONCursor(bytes)
    try? cursor.decodedFields { key, cursor throws(JSONError) in
      switch key {
      case "result":
        let isList = cursor.peek() == UInt8(ascii: "[")
        let start = cursor.at
        let markets = try Self.markets(&cursor)
        if isList { catalogue = Catalogue(markets: markets, result: Array(bytes[start..<cursor.at])) }
      case "error": code = try Self.code(&cursor, depth: 0)
      default: try cursor.skip()
      }
    }
    if let catalogue, code == nil { return .success(catalogue) }
    guard let code else { return .failure(CatalogueError(kind: .temporary, problem: unreadable)) }
    let problem = FeedError(.betfairNoNames, code.wireCode, remedy: .remedyAskedAgain)
    let kind: CatalogueError.Kind =
      switch code {
      case "INVALID_SESSION_INFORMATION", "NO_SESSION": .expired
      case "TOO_MUCH_DATA": .tooMuch
      default: .temporary
      }
    return .failure(CatalogueError(kind: kind, problem: problem))
  }

  private static func markets(_ cursor: inout JSONCursor) throws(JSONError) -> [String] {
    var markets: [String] = []
    guard try cursor.enterArray() else { return markets }
    repeat {
      if let (id, _) = try MarketNames.read(&cursor) { markets.append(id.text) }
    } while try cursor.more(until: UInt8(ascii: "]"))
    return markets
  }

  /// Returns the innermost code of an error: `errorCode` of its exception, or its message.
  private static func code(_ cursor: inout JSONCursor, depth: Int) throws(JSONError) -> String? {
    guard cursor.peek() == UInt8(ascii: "{"), depth < 4 else {
      try cursor.skip()
      return nil
    }
    var message: String?
    var code: String?
    try cursor.decodedFields { key, cursor throws(JSONError) in
      switch key {
      case "errorCode": code = try cursor.textIfAny()
      case "message": message = try cursor.textIfAny()
      case "data", "APINGException": code = try Self.code(&cursor, depth: depth + 1) ?? code
      default: try cursor.skip()
      }
    }
    return code ?? message
  }
}
