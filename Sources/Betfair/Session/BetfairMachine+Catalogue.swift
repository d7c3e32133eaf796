import OddsFeed
import OddsModel
import Platform

// Names of markets, and lists of markets instead of criteria that select too many, or more than the limit of a topic.
extension BetfairMachine {
  /// Asks for the names that are missing. One request of a topic is made at a time.
  mutating func askForNames(_ index: Int) {
    guard entries[index].request == nil, let token = login.token else { return }
    let markets = entries[index].names.due(at: now.uptime)
    if markets.isEmpty { return }
    entries[index].names.begin(markets)
    var subscription = MarketSubscription()
    subscription.markets = markets
    let number = nextNumber()
    entries[index].request = Request(number: number, markets: markets, token: token)
    actions.append(.fetch(subscription, limit: markets.count, token, request: number))
  }

  /// Asks for the markets to subscribe to, because the topic has a limit or its criteria select too many.
  mutating func list(_ index: Int, attempt: Int) {
    entries[index].line = .listing(attempt: attempt)
    report(index, .requested)
    requestList(index)
  }

  /// Asks for the markets to subscribe to, because the provider leaves out some. The connection stays open meanwhile.
  mutating func limited(_ index: Int) {
    // A list is asked for again anyway.
    if entries[index].listed == nil { entries[index].nextListing = now.uptime }
  }

  private mutating func requestList(_ index: Int) {
    guard let subscription = entries[index].topic.subscription else { return }
    // NB: While the login is renewed, the request waits for it.
    guard let token = login.token else { return entries[index].nextListing = now.uptime }
    entries[index].nextListing = nil
    let number = nextNumber()
    entries[index].request = Request(number: number, markets: nil, token: token)
    actions.append(.fetch(subscription, limit: entries[index].maxListed, token, request: number))
  }

  mutating func fetched(_ number: Int, _ result: Result<Catalogue, CatalogueError>) {
    guard let index = entries.firstIndex(where: { $0.request?.number == number }) else { return }
    let request = entries[index].request!
    entries[index].request = nil
    switch result {
    case .success(let catalogue):
      entries[index].names.succeeded()
      if entries[index].isMissingNames { actions.append(.namesMissing(entries[index].subscription, nil)) }
      entries[index].isMissingNames = false
      if request.markets == nil { received(catalogue, index) }
      if !catalogue.markets.isEmpty {
        let names = SessionMessage.names(catalogue.result)
        if entries[index].pendingLines.isWaiting {
          entries[index].pendingLines.append(names: names)
        } else {
          actions.append(.message(entries[index].subscription, names))
        }
      }
    case .failure(let error):
      if error.kind == .expired { renewLogin(request.token, error.problem) }
      if let markets = request.markets {
        entries[index].names.failed(markets, error.kind, at: now)
        entries[index].isMissingNames = true
        actions.append(.namesMissing(entries[index].subscription, error.problem))
      } else if case .listing(let attempt) = entries[index].line {
        if entries[index].topic.limit != nil {
          wait(index, attempt: attempt + 1, error.problem)
        } else {
          // The attempt that exceeded the provider's limit is counted already.
          wait(index, attempt: attempt, .noMarketList(error.problem))
        }
      } else {
        entries[index].nextListing = now.uptime + BetfairTiming.listing
      }
    }
    askForNames(index)
    if !entries[index].isAwaitingNames { stopAwaitingNames(index) }
  }

  /// Subscribes to the markets of a list.
  private mutating func received(_ catalogue: Catalogue, _ index: Int) {
    entries[index].nextListing = now.uptime + BetfairTiming.listing
    let markets = Array(catalogue.markets.prefix(entries[index].maxListed))
    let isSame = entries[index].listed.map { Set($0) == Set(markets) } ?? false
    entries[index].listed = markets
    entries[index].names.know(markets)
    if markets.isEmpty {
      closeLine(index)
      actions.append(.message(entries[index].subscription, SessionMessage.noMarkets))
      report(index, .live)
      return openWaitingLines()
    }
    if !isSame {
      var topic = entries[index].topic
      topic.selection = .markets(markets)
      var subscription = topic.subscription ?? MarketSubscription()
      subscription.conflateMs = conflateMs
      let steps = entries[index].stream.replace(subscription)
      if let link = entries[index].line.link { perform(steps, index, link) }
    }
    switch entries[index].line {
    // NB: As a first attempt, which waits if the account has no connection left.
    case .listing, .idle: open(index, attempt: 1)
    case .connecting, .open, .waiting, .refused: break
    }
  }

  mutating func catalogueTimePassed(_ index: Int) {
    guard login.token != nil else { return }
    if let time = entries[index].nextListing, now.uptime >= time, entries[index].request == nil { requestList(index) }
    askForNames(index)
  }
}
