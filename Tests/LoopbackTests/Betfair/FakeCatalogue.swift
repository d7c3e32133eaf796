import NIOHTTP1
import Platform

/// `listMarketCatalogue` of the fake betting API.
extension FakeBetfair {
  private static let numbers = [
    "TOO_MUCH_DATA": 1, "INVALID_INPUT_DATA": 2, "INVALID_SESSION_INFORMATION": 3, "NO_APP_KEY": 4, "NO_SESSION": 5,
    "UNEXPECTED_ERROR": 6, "INVALID_APP_KEY": 7, "TOO_MANY_REQUESTS": 8, "SERVICE_BUSY": 9, "TIMEOUT_ERROR": 10,
  ]
  /// The projections with their weights.
  private static let projections = [
    "COMPETITION": 0, "EVENT": 0, "EVENT_TYPE": 0, "MARKET_START_TIME": 0, "RUNNER_DESCRIPTION": 0,
    "MARKET_DESCRIPTION": 1, "RUNNER_METADATA": 1,
  ]
  private static let parameters: Set = ["filter", "marketProjection", "sort", "maxResults", "locale"]
  private static let filters: Set = [
    "textQuery", "exchangeIds", "eventTypeIds", "eventIds", "competitionIds", "marketIds", "venues", "bspOnly",
    "turnInPlayEnabled", "inPlayOnly", "marketBettingTypes", "marketCountries", "marketTypeCodes", "marketStartTime",
    "withOrders", "raceTypes",
  ]

  func catalogue(_ request: FakeHTTPRequest, isRPC: Bool) -> FakeHTTPAnswer {
    let tree = JSONTree(request.body) ?? .null
    let parameters = isRPC ? tree["params"] : tree
    state.withLock { $0.calls.append((request.path, parameters)) }
    do throws(FakeRefusal) {
      let result = try markets(request, parameters, isRPC ? tree["method"] : nil)
      return FakeHTTPAnswer(isRPC ? ["jsonrpc": "2.0", "result": result, "id": tree["id"]] : result)
    } catch {
      let number = "ANGX-00" + (Self.numbers[error.code] == 10 ? "10" : "0\(Self.numbers[error.code] ?? 6)")
      let detail: JSONTree = [
        "exceptionname": "APINGException",
        "APINGException": [
          "requestUUID": "fake-1", "errorCode": .text(error.code), "errorDetails": .text(error.message),
        ],
      ]
      guard isRPC else {
        return FakeHTTPAnswer(
          ["faultcode": "Client", "faultstring": .text(number), "detail": detail], status: .badRequest)
      }
      return FakeHTTPAnswer(
        ["jsonrpc": "2.0", "error": ["code": -32099, "message": .text(number), "data": detail], "id": tree["id"]])
    }
  }

  private func markets(
    _ request: FakeHTTPRequest, _ parameters: JSONTree, _ method: JSONTree?
  ) throws(FakeRefusal) -> JSONTree {
    let (sessions, keys, markets, code) = state.withLock { state in
      let code = state.catalogueErrors.isEmpty ? nil : state.catalogueErrors.removeFirst()
      return (state.sessions, state.appKeys, state.markets, code)
    }
    if let code { throw FakeRefusal(code, "on demand") }
    guard let key = request.headers.first(name: "X-Application") else { throw FakeRefusal("NO_APP_KEY", "") }
    guard keys.contains(key) else { throw FakeRefusal("INVALID_APP_KEY", "") }
    guard let session = request.headers.first(name: "X-Authentication") else { throw FakeRefusal("NO_SESSION", "") }
    guard sessions[session] != nil else { throw FakeRefusal("INVALID_SESSION_INFORMATION", "") }
    func check(_ isRight: Bool, _ message: String) throws(FakeRefusal) {
      if !isRight { throw FakeRefusal("INVALID_INPUT_DATA", message) }
    }
    try check(method.map { $0 == "SportsAPING/v1.0/listMarketCatalogue" } ?? true, "unknown method")
    try check(request.headers.first(name: "Content-Type")?.hasPrefix("application/json") == true, "no JSON")
    let filter = parameters["filter"]
    if case .object = filter {} else { throw FakeRefusal("INVALID_INPUT_DATA", "no filter") }
    let unknown = parameters.keys.subtracting(Self.parameters).union(filter.keys.subtracting(Self.filters))
    try check(unknown.isEmpty, "unknown parameters \(unknown.sorted())")
    let projection = parameters["marketProjection"].texts ?? []
    try check(projection.allSatisfy { Self.projections[$0] != nil }, "unknown projection")
    // The number comes as a number or as a text.
    let maximum = parameters["maxResults"].integer ?? parameters["maxResults"].text.flatMap { Int($0) } ?? 0
    try check(1...1000 ~= maximum, "maxResults is \(maximum)")
    let weight = projection.reduce(0) { $0 + Self.projections[$1]! }
    guard weight * maximum <= 200 else { throw FakeRefusal("TOO_MUCH_DATA", "weight \(weight) × \(maximum)") }
    let found = markets.filter { $0.status != "CLOSED" && $0.matches(filter) }.prefix(maximum)
    return .list(found.map { $0.catalogue(Set(projection)) })
  }
}

extension FakeMarket {
  fileprivate func matches(_ filter: JSONTree) -> Bool {
    let lists = [
      ("marketIds", id), ("eventTypeIds", eventTypeID), ("eventIds", eventID), ("marketTypeCodes", type),
      ("marketBettingTypes", bettingType), ("marketCountries", country), ("competitionIds", competitionID),
      ("venues", venue ?? ""),
    ]
    return lists.allSatisfy { key, value in filter[key].texts.map { $0.isEmpty || $0.contains(value) } ?? true }
      && filter["turnInPlayEnabled"].flag.map { $0 == turnsInPlay } ?? true
      && filter["inPlayOnly"].flag.map { $0 == isInPlay } ?? true
  }

  fileprivate func catalogue(_ projection: Set<String>) -> JSONTree {
    var fields: [String: JSONTree] = ["marketId": .text(id), "marketName": .text(name), "totalMatched": 0]
    if projection.contains("MARKET_START_TIME") { fields["marketStartTime"] = .date(startTime) }
    if projection.contains("EVENT_TYPE") {
      fields["eventType"] = ["id": .text(eventTypeID), "name": .text(eventTypeName)]
    }
    if projection.contains("COMPETITION") {
      fields["competition"] = ["id": .text(competitionID), "name": .text(competitionName)]
    }
    if projection.contains("EVENT") {
      fields["event"] = [
        "id": .text(eventID), "name": .text(eventName), "countryCode": .text(country), "timezone": "GMT",
        "openDate": .date(startTime),
      ]
    }
    if projection.contains("MARKET_DESCRIPTION") {
      fields["description"] = [
        "marketType": .text(type), "bettingType": .text(bettingType), "persistenceEnabled": true,
      ]
    }
    let hasMetadata = projection.contains("RUNNER_METADATA")
    if hasMetadata || projection.contains("RUNNER_DESCRIPTION") {
      fields["runners"] = .list(
        runners.enumerated().map { index, runner in
          var fields: [String: JSONTree] = [
            "selectionId": .number(Double(runner.id)), "runnerName": .text(runner.name),
            "handicap": .hundredths(runner.handicap), "sortPriority": .number(Double(index + 1)),
          ]
          if hasMetadata { fields["metadata"] = ["runnerId": .text("\(runner.id)")] }
          return .object(fields)
        })
    }
    return .object(fields)
  }
}
