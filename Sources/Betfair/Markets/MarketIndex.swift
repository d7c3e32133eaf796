import OddsModel

/// The markets that are known, by Betfair's rules for images (Stream.md). A market has a slot, from 0, which another
/// one gets after its removal.
struct MarketIndex: Sendable {
  /// The largest number of closed markets. When another market is added, the one that was closed first is removed.
  static let closedLimit = 1000

  /// The slot of a changed market, and the treatment of the change.
  struct Entry: Hashable {
    var slot: Int
    /// True if the market was not known. Another one may have been removed from its slot.
    var isNew = false
    /// True if the message has a newer image of the market, so that the change does not count.
    var isObsolete = false
    /// True if earlier changes of the market are missing: only an image has them.
    var isIncomplete = false
  }

  private var slots: [MarketKey: Int] = [:]
  /// The markets by their slots.
  private var keys: [MarketKey] = []
  /// True for each slot of a closed market.
  private var isClosed: [Bool] = []
  /// The slots of the closed markets, in the order in which they were closed.
  private var closed: [Int] = []
  /// The versions of the markets whose image the message being received has.
  private var imageVersions: [MarketKey: Int64] = [:]
  /// True if a market begins with an image. A historical file begins with definitions; its messages have no ids.
  private(set) var requiresImages: Bool

  init(requiresImages: Bool) { self.requiresImages = requiresImages }

  subscript(_ key: MarketKey) -> Int? { slots[key] }

  /// Prepares for the changes of a message, or of a part of one. An image replaces everything.
  mutating func begin(_ message: StreamMessage) {
    if message.isFirst {
      imageVersions.removeAll(keepingCapacity: true)
      if message.changeType == .image {
        slots.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        isClosed.removeAll(keepingCapacity: true)
        closed.removeAll(keepingCapacity: true)
      }
    }
    // NB: The playback of a recording clears the state by an image without markets.
    let isImage = message.changeType == .image && !message.markets.isEmpty
    if isImage || message.id != nil { requiresImages = true }
  }

  /// Enters a change of a market.
  mutating func enter(_ key: MarketKey, _ change: MarketChange, of message: StreamMessage) -> Entry {
    let isNew = slots[key] == nil
    var entry = Entry(slot: slots[key] ?? add(key), isNew: isNew)
    let status = change.definition.map { message.definitions[$0].status }
    if change.isImage {
      let version = change.definition.flatMap { message.definitions[$0].version } ?? .min
      // A market that is moved to another event can have two images in one message. The higher version counts.
      // NB: The version of an image that cannot be read may be the higher one.
      if let other = imageVersions[key], other > version {
        entry.isObsolete = true
        return entry
      }
      imageVersions[key] = change.isDamaged ? .max : version
    }
    if status != nil || change.isImage { setClosed(entry.slot, status == .closed) }
    // NB: A market begins with an image. Without one, its earlier changes are missing; but in a historical file, a
    // market begins with its definition.
    entry.isIncomplete =
      isNew && !change.isImage && (status == nil || requiresImages || message.changeType != .update)
    return entry
  }

  private mutating func add(_ key: MarketKey) -> Int {
    guard closed.count >= Self.closedLimit else {
      slots[key] = keys.count
      keys.append(key)
      isClosed.append(false)
      return keys.count - 1
    }
    let slot = closed.removeFirst()
    slots[keys[slot]] = nil
    slots[key] = slot
    keys[slot] = key
    isClosed[slot] = false
    return slot
  }

  private mutating func setClosed(_ slot: Int, _ isNow: Bool) {
    if isNow == isClosed[slot] { return }
    isClosed[slot] = isNow
    if isNow { closed.append(slot) } else { closed.removeAll { $0 == slot } }
  }
}
