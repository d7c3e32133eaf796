/// A bounded set of the newest ids. The oldest id is removed first.
struct RecentIDs {
  let most: Int
  private var known: Set<String> = []
  /// The ids in order of arrival; a ring buffer once it is full.
  private var order: [String] = []
  private var oldest = 0

  init(most: Int = 4096) { self.most = most }

  var count: Int { known.count }

  /// Inserts an id. Returns false if it is already in the set.
  mutating func insert(_ id: String) -> Bool {
    guard known.insert(id).inserted else { return false }
    if order.count < most {
      order.append(id)
    } else {
      known.remove(order[oldest])
      order[oldest] = id
      oldest = (oldest + 1) % most
    }
    return true
  }
}
