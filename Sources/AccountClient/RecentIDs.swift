/// The newest ids of those that came, up to a bound; the oldest is forgotten first.
struct RecentIDs {
  let most: Int
  private var known: Set<String> = []
  /// In a ring once there are as many as may be.
  private var order: [String] = []
  private var oldest = 0

  init(most: Int = 4096) { self.most = most }

  var count: Int { known.count }

  /// False where the id is among them already.
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
