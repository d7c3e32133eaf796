import DequeModule

/// A bounded set of the newest ids. The oldest id is removed first.
struct RecentIDs {
  let most: Int
  private var known: Set<String> = []
  /// The ids in order of arrival.
  private var order: Deque<String> = []

  init(most: Int = 4096) { self.most = most }

  var count: Int { known.count }

  /// Inserts an id. Returns false if it is already in the set.
  mutating func insert(_ id: String) -> Bool {
    guard known.insert(id).inserted else { return false }
    order.append(id)
    if order.count > most { known.remove(order.removeFirst()) }
    return true
  }
}
