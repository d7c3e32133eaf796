import JSONText
import OddsFeed

// The lines of the provider.
extension MarketStreamSession {
  /// Reads a received line.
  package mutating func receive(_ line: UnsafeBufferPointer<UInt8>, at time: Duration) -> [Action] {
    guard phase != .closed else { return [] }
    unfinished.reset()
    guard read(line) else { return [.decode] + unreadable() }
    // NB: Lines of a replaced subscription, and heartbeats before the new image, do not keep the old prices live.
    if message.operation != .marketChange || message.id == lastID,
      !(awaitsImage && message.operation == .marketChange && message.changeType == .heartbeat)
    {
      lastLine = time
      lastSign = time
    }
    switch (message.operation, phase) {
    case (.connection, .greeting):
      phase = .authentication
      return [.send(authentication())]
    case (.status, _): return status()
    case (.marketChange, .subscription), (.marketChange, .live):
      // Without an id, the line can be of the subscription or of one before.
      guard let id = message.id else { return unreadable() }
      return id == lastID ? marketChange(at: time) : []
    // It has markets, so only its kind cannot be read.
    case (.none, .subscription), (.none, .live), (.other, .subscription), (.other, .live), (.names, .subscription),
      (.names, .live):
      return message.hasMarkets ? [.decode] + unreadable() : []
    case (.connection, _), (.marketChange, _), (.none, _), (.other, _), (.names, _): return []
    }
  }

  /// Reads a line into `message`. Returns false if it is no JSON object.
  private mutating func read(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    message.removeAll()
    var cursor = JSONCursor(line)
    do throws(JSONError) { _ = try reader.read(&cursor, into: &message) } catch { return false }
    return cursor.peek() == 0
  }

  /// Handles a market change message of the subscription.
  private mutating func marketChange(at time: Duration) -> [Action] {
    heartbeat = message.heartbeat ?? heartbeat
    if message.changeType == .image, message.isFirst {
      needsImage = false
      position = nil
    }
    let isHeartbeat = message.changeType == .heartbeat
    var isDamaged = message.isDamaged || message.hasDamagedMarkets
    if message.isPartMissing(isWithinMessage: lastPart != nil) { isDamaged = true }
    if hasIncompleteMarkets() { isDamaged = true }
    if !isHeartbeat {
      if message.isLast { messageEnded() } else { messagePartArrived(at: time) }
    }
    if isDamaged { needsImage = true }
    if needsImage {
      position = nil
    } else if message.isLast, lastPart == nil, let clock = message.clock,
      let initial = message.initialClock ?? position?.initialClock
    {
      position = StreamPosition(initialClock: initial, clock: clock)
    }
    return [.decode] + image() + (isDamaged ? [.damaged] : [])
  }

  /// Enters the line's markets. Returns true if earlier changes of one of them are missing, so that the decoder locks
  /// it.
  private mutating func hasIncompleteMarkets() -> Bool {
    // A heartbeat between the parts of a message is not their end.
    if message.changeType == .heartbeat, lastPart != nil { return false }
    markets.begin(message)
    var isIncomplete = false
    for change in message.markets {
      guard let key = change.id else { continue }
      if markets.enter(key, change, of: message).isIncomplete { isIncomplete = true }
    }
    return isIncomplete
  }

  /// Ends the connection because a line may have had changes. Only an image restores them.
  private mutating func unreadable() -> [Action] {
    phase = .closed
    position = nil
    return [.close(.unreadable)]
  }

  private mutating func image() -> [Action] {
    var actions: [Action] = []
    let begins = message.changeType == .image && message.isFirst
    let defined = message.markets.filter { $0.definition != nil }.compactMap { $0.id?.text }
    if begins || !defined.isEmpty { actions.append(.defined(defined, isImage: begins)) }
    if message.changeType == .image || message.changeType == .resubscription { isInImage = true }
    if isInImage, message.isLast, message.changeType != .heartbeat {
      isInImage = false
      hasImage = true
      awaitsImage = false
      actions.append(.imaged)
    }
    return actions
  }

  private mutating func status() -> [Action] {
    guard message.isSuccess else {
      if message.errorCode == StreamErrorCode.subscriptionLimit.rawValue {
        if phase == .live { return [.limited] }
        // NB: It is late, and is about the subscription that was replaced.
        if awaitsImage, message.id != lastID { return [] }
      }
      let failure =
        StreamErrorCode(rawValue: message.errorCode).map { Failure.refused($0, message.errorMessage) }
        ?? .refusedUnknown(message.errorCode)
      if failure.reaction == .startOver { position = nil }
      phase = .closed
      return [.close(failure)]
    }
    guard message.id == lastID else { return [] }
    switch phase {
    case .authentication:
      phase = .subscription
      lastID += 1
      let request = Action.send(subscription.request(id: lastID, from: position))
      return (message.connectionsAvailable.map { [.connectionsAvailable($0)] } ?? []) + [request]
    case .subscription:
      phase = .live
      return [.subscribed(isContinued: position != nil)]
    case .closed, .greeting, .live: return []
    }
  }
}
