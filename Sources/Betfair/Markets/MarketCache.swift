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

  /// The largest number of closed markets. When another market is added, the one that was closed first is removed.
  static let closedLimit = 1000

  /// A market that was removed.
  struct Removal {
    /// The index in `books`, which another market has now.
    let index: Int
    /// The ids of its records; `RawID.none` for none.
    let id: UInt64
    let match: UInt64
  }

  private(set) var books: [MarketBook] = []
  private var indices: [MarketKey: Int] = [:]
  /// The indices of the markets that have changed since `finishChanges()`.
  private(set) var changed: [Int] = []
  /// The markets that were removed since `finishChanges()`.
  private(set) var removed: [Removal] = []
  /// The indices of the closed markets in the order in which they were closed.
  private var closed: [Int] = []

  /// The position in the stream, from the last whole message. Resubscribing with both continues there.
  private(set) var clock: String?
  private(set) var initialClock: String?
  /// The id of the current subscription; nil before its image, and if messages have no ids.
  private(set) var subscription: Int64?

  private(set) var isStale = false
  private(set) var conflation: Int64 = 0
  /// The number of changes that the provider merged because the reader was too slow, or because of `conflateMs`.
  private(set) var conflatedCount = 0

  /// True while the parts of a message are incomplete.
  private var isInSegments = false
  /// True if the message being received is an image or continues an earlier subscription, and before the first message of
  /// a recording, which may begin without an image.
  private var needsDump: Bool
  /// True once an image with markets has begun. The playback of a recording clears the state by an image without any.
  private var hasImage = false
  /// The names of markets, which the stream does not have.
  private var names: [MarketKey: MarketNames] = [:]
  /// The versions of the markets whose image the message being received has.
  private var imageVersions: [MarketKey: Int64] = [:]

  /// Creates an empty cache, for a recording or for a connection.
  init(isRecorded: Bool = false) { needsDump = isRecorded }

  /// Applies a market change message. One for which `isPartMissing(before:)` is true has to be damaged.
  mutating func apply(_ message: StreamMessage) -> Effect {
    guard isCurrent(message) else { return message.isDamaged ? lose() : .none }
    // A heartbeat between the parts of a message is not their end.
    if message.changeType == .heartbeat, isInSegments, !message.isDamaged { return .none }
    isStale = message.isStale
    if let conflation = message.conflation { self.conflation = conflation }
    if message.segment == .start || message.segment == .none {
      imageVersions.removeAll(keepingCapacity: true)
      if message.changeType == .image { clear() }
    }
    if message.changeType == .image, !message.markets.isEmpty { hasImage = true }
    if message.changeType == .image || message.changeType == .resubscription {
      needsDump = true
      subscription = message.id
    }
    for change in message.markets { apply(change, of: message) }
    if message.isDamaged { loseAll() }
    isInSegments = message.segment == .start || message.segment == .middle
    if isInSegments { return .none }
    if let clock = message.clock { self.clock = clock }
    if let clock = message.initialClock { initialClock = clock }
    guard needsDump else { return .update }
    needsDump = false
    names = names.filter { indices[$0.key] != nil }
    return .dump
  }

  /// Applies the names of markets.
  mutating func apply(names list: [(id: MarketKey, names: MarketNames)]) -> Effect {
    for (key, names) in list {
      self.names[key] = names
      guard let index = indices[key], var definition = books[index].definition else { continue }
      names.complete(&definition)
      books[index].define(definition)
      markChanged(index)
    }
    return isInSegments || changed.isEmpty ? .none : .update
  }

  /// Handles the loss of a message, which may have changed any market. The next image of a market has what was lost.
  mutating func lose() -> Effect {
    loseAll()
    isInSegments = false
    defer { needsDump = false }
    if needsDump { return .dump }
    return changed.isEmpty ? .none : .update
  }

  /// Returns true if a part of a message is missing before this one, which then counts as damaged.
  func isPartMissing(before message: StreamMessage) -> Bool {
    isCurrent(message)
      && StreamMessage.isPartMissing(
        isFirst: message.segment == .none || message.segment == .start, isUpdate: message.changeType == .update,
        isWithinMessage: isInSegments)
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
    indices.removeAll(keepingCapacity: true)
    changed.removeAll(keepingCapacity: true)
    closed.removeAll(keepingCapacity: true)
    removed.removeAll(keepingCapacity: true)
  }

  /// Adds a market, in the place of the oldest closed one if there are too many.
  private mutating func add(_ key: MarketKey) -> Int {
    var book = MarketBook(key: key)
    book.isDefined = true
    guard closed.count >= Self.closedLimit else {
      indices[key] = books.count
      books.append(book)
      return books.count - 1
    }
    let index = closed.removeFirst()
    let old = books[index]
    indices[old.key] = nil
    names[old.key] = nil
    let hasRecords = old.isWritten || old.isReplaced
    removed.append(Removal(index: index, id: hasRecords ? old.id : RawID.none, match: old.match))
    book.isChanged = old.isChanged
    books[index] = book
    indices[key] = index
    return index
  }

  /// Enters a market in the list of closed ones, or removes it if it is open again.
  private mutating func updateClosed(_ index: Int) {
    let isClosed = books[index].definition?.status == .closed
    if isClosed == books[index].isListedAsClosed { return }
    books[index].isListedAsClosed = isClosed
    if isClosed { closed.append(index) } else { closed.removeAll { $0 == index } }
  }

  private mutating func apply(_ change: MarketChange, of message: StreamMessage) {
    guard let key = change.id else { return }
    if change.isConflated { conflatedCount += 1 }
    let isNew = indices[key] == nil
    let index = indices[key] ?? add(key)
    let definition = change.definition.map { message.definitions[$0] }
    if change.isImage {
      let version = definition?.version ?? .min
      // A market that is moved to another event can have two images in one message. The higher version counts.
      // NB: The version of an image that cannot be read may be the higher one.
      if let other = imageVersions[key], other > version {
        if change.isDamaged { lose(index) }
        return
      }
      imageVersions[key] = change.isDamaged ? .max : version
      books[index].reset()
    }
    markChanged(index)
    books[index].publishTime = message.publishTime ?? books[index].publishTime
    if var definition {
      names[key]?.complete(&definition)
      books[index].define(definition)
    }
    updateClosed(index)
    if let volume = change.volume {
      books[index].volume = volume
      books[index].hasNewVolume = true
    }
    for place in change.runners {
      guard let key = message.runners[place].key else { continue }
      books[index].apply(message.runners[place], key, message.levels)
    }
    // NB: A market begins with an image. Without one, its earlier changes are missing; but in a historical file, a market
    // begins with its definition.
    let isIncomplete = isNew && !change.isImage && (definition == nil || hasImage || message.changeType != .update)
    if change.isDamaged || isIncomplete { lose(index) }
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
