/// Who observes things of one type, by what they observe; where nobody does, it costs nothing.
struct Observers<ID: Hashable & Sendable, Value: Equatable & Sendable>: Sendable {
  private struct Group {
    /// What all of them were told last; nil while it is not known yet whether there is such a thing.
    var last: Value?
    var feeds: [UInt64: AsyncLatestValue<Value>.Feed]
  }

  private var groups: [ID: Group] = [:]
  private(set) var count = 0

  var isEmpty: Bool { groups.isEmpty }

  /// Adds an observer of a thing that is like that now, or nil where that is to be seen.
  mutating func add(_ key: UInt64, of id: ID, now value: Value?, _ feed: AsyncLatestValue<Value>.Feed) {
    groups[id, default: Group(last: value, feeds: [:])].feeds[key] = feed
    count += 1
    if let value { feed.offer(value) }
  }

  mutating func remove(_ key: UInt64, of id: ID) {
    guard let place = groups.index(forKey: id), groups.values[place].feeds.removeValue(forKey: key) != nil else {
      return
    }
    count -= 1
    if groups.values[place].feeds.isEmpty { groups.remove(at: place) }
  }

  /// Tells whoever observes one of those things how it is now, if it differs; nil is the end of it. Returns how many
  /// values took the place of one that still waited.
  mutating func tell(_ ids: some Sequence<ID>, value: (ID) -> Value?) -> Int {
    var conflated = 0
    for id in ids {
      guard let place = groups.index(forKey: id) else { continue }
      guard let value = value(id) else {
        end(groups.remove(at: place).value)
        continue
      }
      if groups.values[place].last == value { continue }
      groups.values[place].last = value
      for feed in groups.values[place].feeds.values where feed.offer(value) { conflated += 1 }
    }
    return conflated
  }

  /// Things of which it was not known whether they are there.
  var undecided: [ID] { groups.compactMap { $0.value.last == nil ? $0.key : nil } }

  /// Ends all sequences.
  mutating func finish() {
    for group in groups.values { end(group) }
    groups = [:]
  }

  private mutating func end(_ group: Group) {
    count -= group.feeds.count
    for feed in group.feeds.values { feed.finish() }
  }
}
