/// How much of a channel is loaded: a page, then bigger ones, each a topic of its own, up to the channel's limit.
struct Pages: Hashable, Sendable {
  /// Matches on the first page, at least.
  static let first = 200

  /// The most matches that the channel may have.
  let limit: Int
  /// How many the page that is loaded may have.
  private(set) var size: Int
  /// The size of the page that is on its way.
  private(set) var asked: Int?
  /// Whether the cursor is to go to the last row when that is there.
  var leadsToEnd = false

  /// The first page of a channel, large enough for so many rows.
  init(limit: Int, atLeast rows: Int) {
    self.limit = limit
    size = min(limit, max(Self.first, rows))
  }

  /// What the feed is asked for.
  var wanted: Int { asked ?? size }

  /// Asks for the next page, or the last; false where that is on its way, or loaded.
  mutating func ask(forAll: Bool) -> Bool {
    let next = forAll ? limit : min(limit, asked ?? size * 2)
    guard next > wanted else { return false }
    asked = next
    return true
  }

  /// The page that was on its way is there.
  mutating func loaded() {
    size = wanted
    asked = nil
  }

  /// The feed does not serve the page that was asked for.
  mutating func refused() {
    self = Pages(limit: size, atLeast: size)
  }
}
