// The examples of OddsClient.docc. `ExampleTests` compares them with the pages.
import OddsClient

enum Examples {
  static func gettingStarted(url: String, token: String?) async throws {
    // example: getting-started
    let client = try OddsClient(.everyMatrix(url: url, token: token))
    try await client.run { feed in
      let live = try await feed.subscribe(to: .live(sport: .football, limit: 50))
      for await update in live.updates where update.isTrusted {
        for match in update.changed { print(match.name, match.mainMarket?.prices ?? []) }
      }
    }
    // end
  }

  static func simulated() async throws {
    // example: simulated
    let client = try OddsClient(.simulated(matches: 20, rate: 100))
    let names = try await client.run { feed in
      let popular = try await feed.subscribe(to: .popular(limit: 20))
      for await update in popular.updates { return update.changed.map(\.name) }
      return []
    }
    print(names)
    // end
  }

  static func betfair(appKey: String, user: String, password: String) async throws {
    // example: betfair
    let account = BetfairAccount(appKey: appKey, user: user, password: password)
    let client = try OddsClient(.betfair(account))
    try await client.run { feed in
      let live = try await feed.subscribe(to: .live(sport: .football))
      for await update in live.updates where update.isTrusted {
        for match in update.changed { print(match.name, match.mainMarket?.prices ?? []) }
      }
    }
    // end
  }

  static func freshness(_ feed: OddsConnection) async throws {
    // example: freshness
    let live = try await feed.subscribe(to: .live())
    for await update in live.updates {
      switch update.freshness.grade {
      case .live: print("prices are live")
      case .delayed: print("prices may be some seconds old")
      case .locked: print("do not use these prices: \(update.connection)")
      case .suspended: print("no bets at present")
      case .closed: print("this will not change any more")
      }
    }
    // end
  }

  static func exchange(_ market: Market) {
    // example: exchange
    for outcome in market.outcomes where market.takesBets(on: outcome) {
      print(outcome.name, outcome.exchange?.lays.first?.odds?.description ?? "-")
    }
    // end
  }

  static func errors(url: String) async {
    // example: errors
    do {
      let client = try OddsClient(.everyMatrix(url: url))
      try await client.run { feed in
        for await state in await feed.states { print(state) }
      }
    } catch let error as OddsClientError {
      print(error.code, error.message, error.remedy)
    } catch {
      print(error)
    }
    // end
  }

  static func recording(path: String) async throws -> Int {
    // example: recording
    let client = try OddsClient(.recording(path: path, speed: nil))
    let changes = try await client.run { feed in
      let subscription = try await feed.subscribe(to: .topic(feed.recordedTopics[0]))
      var changes = 0
      for await update in subscription.updates { changes += update.changed.count }
      return changes
    }
    // end
    return changes
  }

  static func match(_ feed: OddsConnection) async throws {
    // example: match
    let live = try await feed.subscribe(to: .live(limit: 1))
    for await update in live.updates {
      guard let first = update.changed.first else { continue }
      let match = try await feed.subscribe(to: .match(first.id))
      for await update in match.updates where update.isTrusted {
        print(update.changed.first?.markets.count ?? 0, "markets")
        break
      }
      break
    }
    // end
  }
}
