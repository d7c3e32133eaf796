import OddsFeed
import OddsModel

/// The markets of a subscription, by Betfair's rules for images, deltas, segments and resubscriptions (Stream.md).
struct MarketCache: Sendable {
  /// The effect of a message on readers.
  enum Effect {
    /// Nothing that readers need: part of a message, or a message for an earlier subscription.
    case none
    /// Changes of the markets in `changed`.
    case update
    /// Everything is new.
    case dump
  }

  /// A market that was removed.
  struct Removal {
    /// The index in `books`, which another market has now.
    let index: Int
    /// The ids of its records; `RawID.none` for none.
    let id: UInt64
    let match: UInt64
  }

  /// The markets by their slots in `index`.
  private(set) var books: [MarketBook] = []
  private var index: MarketIndex
  /// The indices of the markets that have changed since `finishChanges()`.
  private(set) var changed: [Int] = []
  /// The markets that were removed since `finishChanges()`.
  private(set) var removed: [Removal] = []

  /// True if a market begins with an image, as in a stream, which has the offers of all markets.
  var requiresImages: Bool { index.requiresImages }

  /// The position in the stream, from the last whole message. Resubscribing with both continues there.
  private(set) var clock: String?
  private(set) var initialClock: String?
  /// The id of the current subscription; nil before its image, and if messages have no ids.
  private(set) var subscription: Int64?

  /// True if the provider's own source of prices is not live.
  private(set) var isStale = false
  /// The interval of updates that the provider stated last, in milliseconds.
  private(set) var conflation: Int64 = 0
  /// The number of changes that the provider merged because the reader was too slow, or because of `conflateMs`.
  private(set) var conflatedCount = 0

  /// True while the parts of a message are incomplete.
  private var isInSegments = false
  /// True if the message being received is an image or continues an earlier subscription, and before the first message
  /// of a recording, which may begin without an image.
  private var needsDump: Bool
  /// The names of markets, which the stream does not have.
  private var names: [MarketKey: MarketNames] = [:]

  /// Creates an empty cache, for a recording or for a connection.
  init(isRecorded: Bool = false) {
    needsDump = isRecorded
    index = MarketIndex(requiresImages: !isRecorded)
  }

  /// Applies a market change message. If `isPartMissing(before:)` is true, the caller must have set `isDamaged` in the
  /// message.
  mutating func apply(_ message: StreamMessage) -> Effect {
    guard isCurrent(message) else { return message.isDamaged ? lose() : .none }
    let isBetweenParts = message.changeType == .heartbeat && isInSegments && !message.isDamaged
    // Until the last part of a message, readers have the prices from before it, which do not become live again.
    isStale = message.isStale || isStale && (isBetweenParts || !message.isLast)
    // A heartbeat between the parts of a message is not their end.
    if isBetweenParts { return .none }
    if let conflation = message.conflation { self.conflation = conflation }
    index.begin(message)
    if message.changeType == .image, message.isFirst { clear() }
    if message.changeType == .image || message.changeType == .resubscription {
      needsDump = true
      subscription = message.id
    }
    for change in message.markets { apply(change, of: message) }
    if message.isDamaged { loseAll() }
    isInSegments = !message.isLast
    if isInSegments { return .none }
    if let clock = message.clock { self.clock = clock }
    if let clock = message.initialClock { initialClock = clock }
    guard needsDump else { return .update }
    needsDump = false
    names = names.filter { index[$0.key] != nil }
    return .dump
  }

  /// Applies the names of markets.
  mutating func apply(names list: [(id: MarketKey, names: MarketNames)]) -> Effect {
    for (key, names) in list {
      self.names[key] = names
      guard let index = self.index[key], var definition = books[index].definition else { continue }
      names.complete(&definition)
      books[index].define(definition)
      markChanged(index)
    }
    return isInSegments || changed.isEmpty ? .none : .update
  }

  /// Handles the loss of a message, which may have changed any market. The next image of a market makes it complete.
  mutating func lose() -> Effect {
    loseAll()
    isInSegments = false
    defer { needsDump = false }
    if needsDump { return .dump }
    return changed.isEmpty ? .none : .update
  }

  /// Returns true if a part of a message is missing before this one, which then counts as damaged.
  func isPartMissing(before message: StreamMessage) -> Bool {
    isCurrent(message) && message.isPartMissing(isWithinMessage: isInSegments)
  }

  private mutating func loseAll() { for index in books.indices { lose(index) } }

  private mutating func lose(_ index: Int) {
    markChanged(index)
    books[index].lose()
  }

  private mutating func markChanged(_ index: Int) {
    if books[index].isChanged { return }
    books[index].isChanged = true
    changed.append(index)
  }

  /// Returns false for a message of another subscription than that of the last image or resubscription.
  private func isCurrent(_ message: StreamMessage) -> Bool {
    if message.changeType == .image || message.changeType == .resubscription { return true }
    guard let id = message.id, let subscription else { return true }
    return id == subscription
  }

  private mutating func clear() {
    books.removeAll(keepingCapacity: true)
    changed.removeAll(keepingCapacity: true)
    removed.removeAll(keepingCapacity: true)
  }

  /// Adds a market, which can take the place of another one.
  private mutating func add(_ key: MarketKey, at slot: Int) {
    var book = MarketBook(key: key)
    book.isDefined = true
    guard slot < books.count else { return books.append(book) }
    let old = books[slot]
    names[old.key] = nil
    let hasRecords = old.isWritten || old.isReplaced
    removed.append(Removal(index: slot, id: hasRecords ? old.id : RawID.none, match: old.match))
    book.isChanged = old.isChanged
    books[slot] = book
  }

  private mutating func apply(_ change: MarketChange, of message: StreamMessage) {
    guard let key = change.id else { return }
    if change.isConflated { conflatedCount += 1 }
    let entry = index.enter(key, change, of: message)
    let slot = entry.slot
    if entry.isNew { add(key, at: slot) }
    if entry.isObsolete {
      if change.isDamaged { lose(slot) }
      return
    }
    if change.isImage { books[slot].reset() }
    markChanged(slot)
    books[slot].publishTime = message.publishTime ?? books[slot].publishTime
    if var definition = change.definition.map({ message.definitions[$0] }) {
      names[key]?.complete(&definition)
      books[slot].define(definition)
    }
    if let volume = change.volume {
      books[slot].volume = volume
      books[slot].hasNewVolume = true
    }
    for runner in change.runners {
      guard let key = message.runners[runner].key else { continue }
      books[slot].apply(message.runners[runner], key, message.levels)
    }
    if change.isDamaged || entry.isIncomplete { lose(slot) }
  }

  /// Calls `body` with a market.
  mutating func update<Result>(market index: Int, _ body: (inout MarketBook) -> Result) -> Result {
    body(&books[index])
  }

  /// Marks all markets as unchanged.
  mutating func finishChanges() {
    for index in changed {
      books[index].isChanged = false
      books[index].isDefined = false
      books[index].hasNewVolume = false
      books[index].changedRunners.removeAll(keepingCapacity: true)
    }
    changed.removeAll(keepingCapacity: true)
    removed.removeAll(keepingCapacity: true)
  }
}
