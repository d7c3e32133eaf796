import OddsFeed
import OddsModel
import Platform

// Names of markets, and lists of markets instead of criteria that select too many.
extension BetfairMachine {
  /// Asks for the names that are missing. One request of a topic is made at a time.
  mutating func askForNames(_ place: Int) {
    guard entries[place].request == nil, let token = login.token else { return }
    let markets = entries[place].names.due(at: now.uptime)
    if markets.isEmpty { return }
    entries[place].names.begin(markets)
    var subscription = MarketSubscription()
    subscription.markets = markets
    let number = nextNumber()
    entries[place].request = Request(number: number, markets: markets, token: token)
    actions.append(.fetch(subscription, limit: markets.count, token, request: number))
  }

  /// Asks for the markets to subscribe to, because the topic's criteria select too many.
  mutating func list(_ place: Int, attempt: Int) {
    entries[place].line = .listing(attempt: attempt)
    report(place, .requested)
    requestList(place)
  }

  /// Asks for the markets to subscribe to, because the provider leaves out some. The connection stays open meanwhile.
  mutating func limited(_ place: Int) {
    // A list is asked for again anyway.
    if entries[place].listed == nil { entries[place].nextListing = now.uptime }
  }

  private mutating func requestList(_ place: Int) {
    guard let subscription = entries[place].topic.subscription else { return }
    // NB: While the login is renewed, the request waits for it.
    guard let token = login.token else { return entries[place].nextListing = now.uptime }
    entries[place].nextListing = nil
    let number = nextNumber()
    entries[place].request = Request(number: number, markets: nil, token: token)
    actions.append(.fetch(subscription, limit: MarketSubscription.maxMarkets, token, request: number))
  }

  mutating func fetched(_ number: Int, _ result: Result<Catalogue, CatalogueError>) {
    guard let place = entries.firstIndex(where: { $0.request?.number == number }) else { return }
    let request = entries[place].request!
    entries[place].request = nil
    switch result {
    case .success(let catalogue):
      entries[place].names.succeeded()
      if entries[place].isMissingNames { actions.append(.namesMissing(entries[place].subscription, nil)) }
      entries[place].isMissingNames = false
      if request.markets == nil { received(catalogue, place) }
      if !catalogue.markets.isEmpty {
        let names = SessionMessage.names(catalogue.result)
        if entries[place].pendingLines.isWaiting {
          entries[place].pendingLines.append(names: names)
        } else {
          actions.append(.message(entries[place].subscription, names))
        }
      }
    case .failure(let error):
      if error.kind == .expired { renewLogin(request.token, error.problem) }
      if let markets = request.markets {
        entries[place].names.failed(markets, error.kind, at: now)
        entries[place].isMissingNames = true
        actions.append(.namesMissing(entries[place].subscription, error.problem))
      } else if case .listing(let attempt) = entries[place].line {
        // NB: The limit is the reason that the user can do something about.
        wait(place, attempt: attempt, .tooManyMarkets)
      } else {
        entries[place].nextListing = now.uptime + BetfairTiming.listing
      }
    }
    askForNames(place)
    if !entries[place].isAwaitingNames { stopAwaitingNames(place) }
  }

  /// Subscribes to the markets of a list.
  private mutating func received(_ catalogue: Catalogue, _ place: Int) {
    entries[place].nextListing = now.uptime + BetfairTiming.listing
    let markets = Array(catalogue.markets.prefix(MarketSubscription.maxMarkets))
    let isSame = entries[place].listed.map { Set($0) == Set(markets) } ?? false
    entries[place].listed = markets
    entries[place].names.know(markets)
    if markets.isEmpty {
      closeLine(place)
      actions.append(.message(entries[place].subscription, SessionMessage.noMarkets))
      return report(place, .live)
    }
    if !isSame {
      var subscription = MarketSubscription()
      subscription.markets = markets
      subscription.conflateMs = conflateMs
      let steps = entries[place].stream.replace(subscription)
      if let link = entries[place].line.link { perform(steps, place, link) }
    }
    switch entries[place].line {
    case .listing(let attempt): open(place, attempt: attempt)
    case .idle: open(place, attempt: 1)
    case .connecting, .open, .waiting, .refused: break
    }
  }

  mutating func catalogueTimePassed(_ place: Int) {
    guard login.token != nil else { return }
    if let time = entries[place].nextListing, now.uptime >= time, entries[place].request == nil { requestList(place) }
    askForNames(place)
  }
}
