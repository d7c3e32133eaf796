/// How much of a channel is loaded: a page, then bigger ones, each a topic of its own, up to the channel's limit.
struct Pagination: Hashable, Sendable {
  /// Matches on the first page, at least.
  static let first = 200

  /// The most matches that the channel may have.
  let limit: Int
  /// How many the page that is loaded may have.
  private(set) var size: Int
  /// The size of the page that is on its way.
  private(set) var asked: Int?
  /// Whether the page that is loaded was full once: there may be more matches, though some have gone since.
  private var wasFull = false
  /// The feed does not serve a bigger page.
  private var isRefused = false
  /// Whether the cursor is to go to the last row when that is there.
  var leadsToEnd = false

  /// The first page of a channel, large enough for so many rows.
  init(limit: Int, atLeast rows: Int) {
    self.limit = limit
    size = min(limit, max(Self.first, rows))
  }

  /// What the feed is asked for.
  var wanted: Int { asked ?? size }

  /// Whether the channel may have more matches than are loaded.
  var hasMore: Bool { wasFull && size < limit }

  /// So many matches are loaded now.
  mutating func count(_ matches: Int) { if matches >= size { wasFull = true } }

  /// Asks for the next page, or the last; false where that is on its way, loaded, or not to be had.
  mutating func ask(forAll: Bool) -> Bool {
    guard hasMore, !isRefused else { return false }
    let next = forAll ? limit : min(limit, asked ?? size * 2)
    guard next > wanted else { return false }
    asked = next
    return true
  }

  /// The page that was on its way is there.
  mutating func loaded() {
    size = wanted
    asked = nil
    wasFull = false
  }

  /// The feed does not serve the page that was asked for.
  mutating func refused() {
    asked = nil
    isRefused = true
  }
}
