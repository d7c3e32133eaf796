import OddsFeed

/// A socket of the market channel with its tokens.
struct Shard {
  /// The state of a token's image.
  enum Image: Hashable {
    /// The socket is not open.
    case idle
    /// Subscribed to; asked for again at `by`.
    case awaited(by: Duration, limit: Duration)
    /// The book is disputed; an image is asked for at `by` if it still is.
    case disputed(by: Duration)
    /// Known. `lastFrame` is the time of the token's last frame.
    case present(lastFrame: Duration)

    var isPresent: Bool { if case .present = self { true } else { false } }
  }

  let number: Int
  var socket: Socket
  private(set) var tokens: [TokenID: Image] = [:]
  /// The books as the decoders have them, of tokens that have had an image or have lost one.
  private var books: [TokenID: TokenBook] = [:]
  /// The requests in a row for images of each token's disputed books, and the time of the last one.
  private var requests: [TokenID: (count: Int, last: Duration)] = [:]
  /// The earliest time of the next request for the images of quiet tokens.
  private var quietCheckAt = Duration.zero
  /// The tokens that have a new subscription, which awaits an image although the book is known.
  private var resubscribed: Set<TokenID> = []
  /// The tokens whose image was asked for and came, but is older than the known book, which stays.
  private var answered: Set<TokenID> = []

  init(number: Int, socket: Socket) {
    self.number = number
    self.socket = socket
  }

  var deadline: Duration? {
    let images = tokens.values.compactMap { image -> Duration? in
      switch image {
      case .awaited(let by, _), .disputed(let by): by
      case .present(let last): max(last + PolymarketTiming.quiet, quietCheckAt)
      case .idle: nil
      }
    }
    return (images + [socket.deadline].compactMap(\.self)).min()
  }

  mutating func add(_ token: TokenID) { tokens[token] = .idle }

  mutating func remove(_ token: TokenID) {
    tokens[token] = nil
    books[token] = nil
    requests[token] = nil
    resubscribed.remove(token)
    answered.remove(token)
  }

  /// Records the loss of the socket: all images come anew.
  mutating func lose() {
    for token in tokens.keys { tokens[token] = .idle }
    for token in books.keys { _ = books[token]!.invalidate(at: nil) }
    resubscribed = []
    answered = []
  }

  /// Discards the known books whose images were asked for and have not come in time. Returns their tokens.
  mutating func discardUnanswered(at now: Duration) -> [TokenID] {
    tokens.keys.filter { token in
      guard case .awaited(let by, _) = tokens[token], by <= now, !answered.contains(token) else { return false }
      return books[token]?.invalidate(at: nil) == true
    }
  }

  /// Records that the image of a token is asked for, and again after `limit`. A further request while one is open gives
  /// a known book no more time.
  mutating func awaitImage(_ token: TokenID, limit: Duration, at now: Duration) {
    answered.remove(token)
    var by = now + limit
    if case .awaited(let old, let oldLimit) = tokens[token], old > now, limit <= oldLimit, books[token]?.orders != nil {
      by = min(by, old)
    }
    tokens[token] = .awaited(by: by, limit: limit)
  }

  /// Records that tokens have a new subscription.
  mutating func resubscribe(_ tokens: some Sequence<TokenID>) { resubscribed.formUnion(tokens) }

  /// Records a frame of tokens.
  mutating func received(_ tokens: some Sequence<TokenID>, at now: Duration) {
    for token in tokens where self.tokens[token]?.isPresent == true { self.tokens[token] = .present(lastFrame: now) }
  }

  /// Records that frames are not read: a token without one is not quiet, and an image that is awaited may have come.
  mutating func unread(at now: Duration) {
    for (token, image) in tokens {
      switch image {
      case .present: tokens[token] = .present(lastFrame: now)
      case .awaited(_, let limit): tokens[token] = .awaited(by: now + limit, limit: limit)
      case .idle, .disputed: break
      }
    }
  }

  /// Returns the tokens without a frame for `PolymarketTiming.quiet`, at most `PolymarketTiming.maxQuiet` at a time,
  /// those that have been without one for the longest time first.
  mutating func quietTokens(at now: Duration) -> [TokenID] {
    if now < quietCheckAt { return [] }
    let quiet = tokens.compactMap { token, image -> (token: TokenID, last: Duration)? in
      guard case .present(let last) = image, last + PolymarketTiming.quiet <= now else { return nil }
      return (token, last)
    }
    if quiet.isEmpty { return [] }
    quietCheckAt = now + PolymarketTiming.quietInterval
    return quiet.sorted { $0.last < $1.last }.prefix(PolymarketTiming.maxQuiet).map(\.token)
  }

  /// Returns the time before which images are out of date if the update is such an image; nil if it is not.
  func outdated(_ update: BookUpdate) -> (token: TokenID, minTime: Int64)? {
    guard case .image(let token, _, let id) = update, let book = books[token], book.isOutdated(imageAt: id.timestamp)
    else { return nil }
    return book.minImageTime.map { (token, $0) }
  }

  mutating func apply(_ update: BookUpdate, at now: Duration) {
    switch update {
    case .image(let token, let orders, let id):
      if tokens[token] == nil { return }
      let isOutdated = books[token]?.isOutdated(imageAt: id.timestamp) ?? false
      _ = books[token, default: TokenBook()].apply(image: orders, id)
      // NB: An image from before the last update brings no orders for those who have none.
      if isOutdated, books[token]?.orders == nil || resubscribed.contains(token) {
        if books[token]?.orders != nil { answered.insert(token) }
        return
      }
      if !isOutdated { resubscribed.remove(token) }
      tokens[token] = .present(lastFrame: now)
      settle(token, at: now)
    case .changes(let changes, let time):
      for change in changes { _ = books[change.token]?.apply(change, at: time) }
      for change in changes {
        books[change.token]?.checkStatement()
        settle(change.token, at: now)
      }
    case .best(let token, let best, let time):
      books[token]?.compare(with: best, at: time)
      settle(token, at: now)
    case .lost(let token, let time):
      if tokens[token] == nil { return }
      _ = books[token, default: TokenBook()].invalidate(at: time)
      awaitImage(token, limit: PolymarketTiming.firstImage, at: now)
    }
  }

  /// Begins or ends the wait of a disputed book for the changes that settle it.
  private mutating func settle(_ token: TokenID, at now: Duration) {
    switch (tokens[token], books[token]?.isDisputed) {
    case (.present, true): tokens[token] = .disputed(by: now + Self.wait(after: requestCount(token, at: now)))
    case (.disputed, false): tokens[token] = .present(lastFrame: now)
    default: break
    }
  }

  /// Returns the requests for images of a token's disputed books in a row, without those of long ago.
  ///
  /// Disputes that settle by themselves do not count: they say nothing about the next one.
  private func requestCount(_ token: TokenID, at now: Duration) -> Int {
    guard let known = requests[token], now - known.last < Self.wait(after: known.count) + PolymarketTiming.disputeMemory
    else { return 0 }
    return known.count
  }

  /// Returns the time that a dispute has to settle by itself after a number of requests in a row.
  private static func wait(after count: Int) -> Duration {
    min(PolymarketTiming.dispute * (1 << min(count, 10)), PolymarketTiming.maxImage)
  }

  /// Returns the tokens whose image is to be asked for, with the limit after which to ask again: those that are due, or
  /// with `all` each whose image is missing. Counts the requests for images of disputed books.
  mutating func missingImages(at now: Duration, all: Bool) -> [TokenID: Duration] {
    for case (let token, .disputed(let by)) in tokens where all || by <= now {
      requests[token] = (requestCount(token, at: now) + 1, now)
    }
    return tokens.compactMapValues { image in
      switch image {
      case .awaited(let by, let limit) where all || by <= now:
        all ? PolymarketTiming.firstImage : min(limit * 2, PolymarketTiming.maxImage)
      case .disputed(let by) where all || by <= now: PolymarketTiming.firstImage
      case .awaited, .disputed, .idle, .present: nil
      }
    }
  }
}
