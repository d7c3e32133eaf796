/// The observers of things of one type, by the id of the observed thing.
struct Observers<ID: Hashable & Sendable, Value: Equatable & Sendable>: Sendable {
  private struct Group {
    /// The value last published to all feeds of the group; nil while it is unknown whether the thing exists.
    var last: Value?
    var feeds: [UInt64: AsyncLatestValue<Value>.Feed]
  }

  private var groups: [ID: Group] = [:]
  private(set) var count = 0

  var isEmpty: Bool { groups.isEmpty }

  /// Adds an observer of a thing. `value` is its current value, nil if it is unknown whether the thing exists.
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

  /// Publishes the current value of each given thing that is observed and changed; a nil value ends its sequences.
  /// Returns the number of pending values that were replaced.
  mutating func notify(_ ids: some Sequence<ID>, value: (ID) -> Value?) -> Int {
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

  /// The ids of observed things that are not known to exist.
  var undecided: [ID] { groups.compactMap { $0.value.last == nil ? $0.key : nil } }

  mutating func finish() {
    for group in groups.values { end(group) }
    groups = [:]
  }

  private mutating func end(_ group: Group) {
    count -= group.feeds.count
    for feed in group.feeds.values { feed.finish() }
  }
}
