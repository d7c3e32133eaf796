/// The loaded part of a channel: first one page, then larger pages, each a topic of its own, up to the channel's limit.
struct Pagination: Hashable, Sendable {
  /// The least number of matches on the first page, unless the channel's limit is lower.
  static let first = 200

  /// The most matches that the channel can have.
  let limit: Int
  /// The most matches that the loaded page can have.
  private(set) var size: Int
  /// The size of the requested page; nil if no page is requested.
  private(set) var requested: Int?
  /// True if the loaded page has been full: there may be more matches, even if some were removed since.
  private var wasFull = false
  /// True if the feed has refused a larger page.
  private var isRefused = false
  /// True if the cursor moves to the last row when the requested page is loaded.
  var movesToEnd = false

  /// Creates the first page of a channel, large enough for a number of rows.
  init(limit: Int, atLeast rows: Int) {
    self.limit = limit
    size = min(limit, max(Self.first, rows))
  }

  /// The requested size, or else the loaded size.
  var wanted: Int { requested ?? size }

  /// True if the channel may have more matches than are loaded.
  var hasMore: Bool { wasFull && size < limit }

  /// Records the number of loaded matches.
  mutating func count(_ matches: Int) { if matches >= size { wasFull = true } }

  /// Requests the next page, or all matches. Does nothing if that page is requested, loaded or not available.
  mutating func request(forAll: Bool) {
    guard hasMore, !isRefused else { return }
    let next = forAll ? limit : min(limit, requested ?? size * 2)
    if next > wanted { requested = next }
  }

  /// Records that the requested page is loaded.
  mutating func loaded() {
    size = wanted
    requested = nil
    wasFull = false
  }

  /// Records that the feed does not serve the requested page.
  mutating func refused() {
    requested = nil
    isRefused = true
  }
}
