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
    for place in shards.indices {
      let gone = shards[place].tokens.keys.filter { !wanted.contains($0) }
      if gone.isEmpty { continue }
      for token in gone {
        shards[place].remove(token)
        shardNumbers[token] = nil
      }
      if shards[place].socket.isOpen { send("unsubscribe", gone, place) }
    }
    let missing = wanted.filter { shardNumbers[$0] == nil }.sorted()
    add(missing)
    for shard in shards where shard.tokens.isEmpty && shard.socket.isCurrent {
      actions.append(.close(link: shard.socket.link))
    }
    shards.removeAll { $0.tokens.isEmpty }
    for place in shards.indices where shards[place].socket.isOpen {
      let known = shards[place].tokens.keys.filter { again.contains($0) && !missing.contains($0) }
      shards[place].resubscribe(known)
      askAgain(known, place)
    }
  }

  private mutating func add(_ tokens: [TokenID]) {
    var rest = tokens[...]
    for place in shards.indices {
      let new = rest.prefix(max(0, PolymarketTiming.maxTokens - shards[place].tokens.count))
      if new.isEmpty { continue }
      rest = rest.dropFirst(new.count)
      for token in new {
        shards[place].add(token)
        shardNumbers[token] = shards[place].number
      }
      if shards[place].socket.isOpen {
        send("subscribe", Array(new), place)
        awaitImages(new, place)
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
    _ tokens: some Sequence<TokenID>, _ place: Int, limit: Duration = PolymarketTiming.firstImage
  ) {
    for token in tokens { shards[place].awaitImage(token, limit: limit, at: now.uptime) }
  }

  /// Subscribes to tokens anew, so that their images come.
  private mutating func askAgain(_ tokens: [TokenID], _ place: Int) {
    if tokens.isEmpty { return }
    let sorted = tokens.sorted()
    send("unsubscribe", sorted, place)
    send("subscribe", sorted, place)
    awaitImages(sorted, place)
  }

  /// Asks again for images that are due, or for all that are missing, and for those of quiet tokens.
  mutating func askForImages(_ place: Int, all: Bool = false) {
    let missing = shards[place].missingImages(at: now.uptime, all: all)
    // NB: A server that does not answer the request for an image may have stopped serving the token.
    withdraw(shards[place].discardUnanswered(at: now.uptime))
    askAgain(Array(missing.keys) + shards[place].quietTokens(at: now.uptime), place)
    for (token, limit) in missing { awaitImages(CollectionOfOne(token), place, limit: limit) }
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

  private mutating func send(_ operation: StaticString, _ tokens: [TokenID], _ place: Int) {
    send(tokens, place) { $0.field("operation", operation) }
  }

  private mutating func sendFirst(_ place: Int) {
    send(shards[place].tokens.keys.sorted(), place) { json in
      json.field("type", "market" as StaticString)
      json.field("initial_dump", true)
      json.field("custom_feature_enabled", true)
    }
  }

  private mutating func send(_ tokens: [TokenID], _ place: Int, _ write: (inout JSONWriter) -> Void) {
    var json = JSONWriter(capacity: 90 * tokens.count + 80)
    json.object { json in
      json.array("assets_ids") { json in for token in tokens { json.element("\(token)") } }
      write(&json)
    }
    actions.append(.send(json.bytes, link: shards[place].socket.link))
  }

  // MARK: The socket

  mutating func apply(_ event: SocketEvent, _ link: Int) {
    if let sports, sports.link == link, sports.isCurrent { return applySports(event) }
    guard let place = shards.firstIndex(where: { $0.socket.link == link && $0.socket.isCurrent }) else { return }
    switch event {
    case .opened:
      guard case .connecting = shards[place].socket.phase else { return }
      shards[place].socket.opened(at: now.uptime)
      sendFirst(place)
      awaitImages(Array(shards[place].tokens.keys), place)
    case .market(let summary):
      shards[place].socket.signOfLife(at: now.uptime)
      received(summary, place)
    case .pong:
      shards[place].socket.signOfLife(at: now.uptime)
      actions.append(.alive)
    case .progress: shards[place].socket.partArrived(at: now.uptime)
    // A frame that cannot be read may have had changes, so no book of the socket is known any more.
    case .garbage, .ping, .sports:
      actions.append(.close(link: link))
      lose(place, .unreadable)
    case .closed(let error): lose(place, error.problem, isTerminal: error.isTerminal)
    }
  }

  private mutating func received(_ summary: MarketSummary, _ place: Int) {
    shards[place].received(summary.tokens, at: now.uptime)
    for update in summary.updates {
      if let (token, time) = shards[place].outdated(update) { withdrawOutdated(token, before: time) }
      shards[place].apply(update, at: now.uptime)
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

  /// Handles the loss of a socket. Its prices are withdrawn, unless the whole channel is lost: then all events are
  /// delivered again, without prices.
  mutating func lose(_ place: Int, _ why: FeedError, isTerminal: Bool = false) {
    let wasOpen = shards[place].socket.isOpen
    let retriesAtOnce = shards[place].socket.lost(why, isTerminal: isTerminal, at: now)
    shards[place].lose()
    if wasOpen { withdraw(Array(shards[place].tokens.keys)) }
    if retriesAtOnce { open(place) }
  }

  mutating func open(_ place: Int) {
    let attempt = shards[place].socket.retry?.attempt ?? 1
    shards[place].socket = Socket(link: nextNumber(), attempt: attempt, at: now.uptime)
    actions.append(.connect(.market, link: shards[place].socket.link))
  }

  mutating func timePassed(ofShard place: Int) {
    switch shards[place].socket.phase {
    case .connecting(_, let deadline) where now.uptime >= deadline:
      actions.append(.close(link: shards[place].socket.link))
      lose(place, .noHandshake)
    case .waiting(_, let until) where now.uptime >= until: open(place)
    case .open(let connection) where connection.pongBy.map({ now.uptime >= $0 }) ?? false:
      actions.append(.close(link: shards[place].socket.link))
      lose(place, .silent)
    case .open(var connection):
      if now.uptime >= connection.pingAt {
        connection.pingAt = now.uptime + PolymarketTiming.ping
        connection.pongBy = now.uptime + PolymarketTiming.pong
        shards[place].socket.phase = .open(connection)
        actions.append(.send(Array("PING".utf8), link: shards[place].socket.link))
      }
      askForImages(place)
    case .connecting, .waiting, .failed: break
    }
  }
}
