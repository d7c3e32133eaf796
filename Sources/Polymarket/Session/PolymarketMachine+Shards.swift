import JSONText
import OddsFeed
import OddsModel
import Platform

// Sockets of the market channel.
extension PolymarketMachine {
  // MARK: Tokens

  /// Divides the wanted tokens among sockets. Tokens in `again` are subscribed to anew if they already are, so that
  /// their images come for a new subscription.
  mutating func assignTokens(again: Set<TokenID> = []) {
    let wanted = entries.reduce(into: Set<TokenID>()) { $0.formUnion($1.tokens) }
    for index in shards.indices {
      let gone = shards[index].tokens.keys.filter { !wanted.contains($0) }
      if gone.isEmpty { continue }
      for token in gone {
        shards[index].remove(token)
        shardNumbers[token] = nil
      }
      if shards[index].socket.isOpen { send("unsubscribe", gone, index) }
    }
    let missing = wanted.filter { shardNumbers[$0] == nil }.sorted()
    add(missing)
    for shard in shards where shard.tokens.isEmpty && shard.socket.isCurrent {
      actions.append(.close(link: shard.socket.link))
    }
    shards.removeAll { $0.tokens.isEmpty }
    for index in shards.indices where shards[index].socket.isOpen {
      let known = shards[index].tokens.keys.filter { again.contains($0) && !missing.contains($0) }
      shards[index].resubscribe(known)
      askAgain(known, index)
    }
  }

  private mutating func add(_ tokens: [TokenID]) {
    var rest = tokens[...]
    for index in shards.indices {
      let new = rest.prefix(max(0, PolymarketTiming.maxTokens - shards[index].tokens.count))
      if new.isEmpty { continue }
      rest = rest.dropFirst(new.count)
      for token in new {
        shards[index].add(token)
        shardNumbers[token] = shards[index].number
      }
      if shards[index].socket.isOpen {
        send("subscribe", Array(new), index)
        awaitImages(new, index)
      }
    }
    while !rest.isEmpty {
      let new = rest.prefix(PolymarketTiming.maxTokens)
      rest = rest.dropFirst(new.count)
      let number = nextNumber()
      var shard = Shard(number: number, socket: Socket(link: nextNumber(), attempt: 1, at: now.uptime))
      for token in new {
        shard.add(token)
        shardNumbers[token] = number
      }
      shards.append(shard)
      actions.append(.connect(.market, link: shard.socket.link))
    }
  }

  private mutating func awaitImages(
    _ tokens: some Sequence<TokenID>, _ index: Int, limit: Duration = PolymarketTiming.firstImage
  ) {
    for token in tokens { shards[index].awaitImage(token, limit: limit, at: now.uptime) }
  }

  /// Subscribes to tokens anew, so that their images come.
  private mutating func askAgain(_ tokens: [TokenID], _ index: Int) {
    if tokens.isEmpty { return }
    let sorted = tokens.sorted()
    send("unsubscribe", sorted, index)
    send("subscribe", sorted, index)
    awaitImages(sorted, index)
  }

  /// Asks again for images that are due, or for all that are missing, and for those of quiet tokens.
  mutating func askForImages(_ index: Int, all: Bool = false) {
    let missing = shards[index].missingImages(at: now.uptime, all: all)
    // NB: A server that does not answer the request for an image may have stopped serving the token.
    withdraw(shards[index].discardUnanswered(at: now.uptime))
    askAgain(Array(missing.keys) + shards[index].quietTokens(at: now.uptime), index)
    for (token, limit) in missing { awaitImages(CollectionOfOne(token), index, limit: limit) }
  }

  /// Delivers that the prices of tokens are unknown until their images come.
  private mutating func withdraw(_ tokens: [TokenID]) {
    for entry in entries where entry.events != nil {
      let gone = tokens.filter { entry.tokens.contains($0) }
      if gone.isEmpty { continue }
      let sorted = gone.sorted()
      actions.append(.message(entry.subscription, SessionMessage.withdrawn(sorted)))
    }
  }

  // MARK: Messages

  private mutating func send(_ operation: StaticString, _ tokens: [TokenID], _ index: Int) {
    send(tokens, index) { $0.field("operation", operation) }
  }

  private mutating func sendFirst(_ index: Int) {
    send(shards[index].tokens.keys.sorted(), index) { json in
      json.field("type", "market" as StaticString)
      json.field("initial_dump", true)
      json.field("custom_feature_enabled", true)
    }
  }

  private mutating func send(_ tokens: [TokenID], _ index: Int, _ write: (inout JSONWriter) -> Void) {
    var json = JSONWriter(capacity: 90 * tokens.count + 80)
    json.object { json in
      json.array("assets_ids") { json in for token in tokens { json.element("\(token)") } }
      write(&json)
    }
    actions.append(.send(json.bytes, link: shards[index].socket.link))
  }

  // MARK: The socket

  mutating func apply(_ event: SocketEvent, _ link: Int) {
    if let sports, sports.link == link, sports.isCurrent { return applySports(event) }
    guard let index = shards.firstIndex(where: { $0.socket.link == link && $0.socket.isCurrent }) else { return }
    switch event {
    case .opened:
      guard case .connecting = shards[index].socket.phase else { return }
      let pings = PingLog(interval: PolymarketTiming.ping, requiresAnswers: true, at: now.uptime)
      shards[index].socket.opened(at: now.uptime, pings: pings)
      sendFirst(index)
      awaitImages(Array(shards[index].tokens.keys), index)
    case .market(let summary):
      shards[index].socket.signOfLife(at: now.uptime)
      received(summary, index)
    case .pong:
      shards[index].socket.answered(at: now.uptime)
      actions.append(.alive)
    case .progress: shards[index].socket.partArrived(at: now.uptime)
    // A frame that cannot be read may have had changes, so no book of the socket is known any more.
    case .garbage, .ping, .sports:
      actions.append(.close(link: link))
      lose(index, .unreadable)
    case .closed(let error): lose(index, error.problem, isTerminal: error.isTerminal)
    }
  }

  private mutating func received(_ summary: MarketSummary, _ index: Int) {
    shards[index].received(summary.tokens, at: now.uptime)
    for update in summary.updates {
      if let (token, time) = shards[index].outdated(update) { withdrawOutdated(token, before: time) }
      shards[index].apply(update, at: now.uptime)
    }
    for entry in entries where entry.events != nil && summary.tokens.contains(where: entry.tokens.contains) {
      actions.append(.deliver(entry.subscription))
    }
    let ended = summary.resolved.filter { shardNumbers[$0] != nil }
    if ended.isEmpty { return }
    resolved.insert(ended, at: now.uptime)
    for entry in entries.indices where !entries[entry].tokens.isDisjoint(with: ended) {
      entries[entry].tokens.subtract(ended)
      entries[entry].events = entries[entry].events?.map { $0.closed(resolved.tokens) }
      // Gamma may know more of the event.
      if entries[entry].request == nil { entries[entry].nextRequest = now.uptime }
    }
    assignTokens()
  }

  /// Delivers that the image that follows is out of date, for decoders that have not received the later messages.
  private mutating func withdrawOutdated(_ token: TokenID, before time: Int64) {
    for entry in entries where entry.events != nil && entry.tokens.contains(token) {
      let message = SessionMessage.withdrawn(CollectionOfOne(token), before: time)
      actions.append(.message(entry.subscription, message))
    }
  }

  /// Handles the loss of a socket. Withdraws its prices. If no socket is open then, all events are delivered again,
  /// without prices, as soon as one is.
  mutating func lose(_ index: Int, _ why: FeedError, isTerminal: Bool = false) {
    let wasOpen = shards[index].socket.isOpen
    let retriesAtOnce = shards[index].socket.lost(why, isTerminal: isTerminal, at: now)
    shards[index].lose()
    if wasOpen { withdraw(Array(shards[index].tokens.keys)) }
    if retriesAtOnce { open(index) }
  }

  mutating func open(_ index: Int) {
    let attempt = shards[index].socket.retry?.attempt ?? 1
    shards[index].socket = Socket(link: nextNumber(), attempt: attempt, at: now.uptime)
    actions.append(.connect(.market, link: shards[index].socket.link))
  }

  mutating func timePassed(ofShard index: Int) {
    switch shards[index].socket.phase {
    case .connecting(_, let deadline) where now.uptime >= deadline:
      actions.append(.close(link: shards[index].socket.link))
      lose(index, .noHandshake)
    case .waiting(_, let until) where now.uptime >= until: open(index)
    case .open(let connection) where connection.pongBy.map({ now.uptime >= $0 }) ?? false:
      actions.append(.close(link: shards[index].socket.link))
      lose(index, .silent)
    case .open(var connection):
      if var pings = connection.pings, now.uptime >= pings.nextAt {
        if pings.expire(at: now.uptime) {
          actions.append(.close(link: shards[index].socket.link))
          return lose(index, .silent)
        }
        _ = pings.ping(at: now.uptime)
        connection.pings = pings
        connection.pongBy = now.uptime + PolymarketTiming.pong
        shards[index].socket.phase = .open(connection)
        actions.append(.send(Array("PING".utf8), link: shards[index].socket.link))
      }
      askForImages(index)
    case .connecting, .waiting, .failed: break
    }
  }
}
