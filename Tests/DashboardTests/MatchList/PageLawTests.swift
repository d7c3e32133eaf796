import EveryMatrix
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Compares a board whose channel is loaded in pages with a scan of all matches of the channel.
@Suite(.timeLimit(.minutes(45)))
struct PageLawTests {
  private static let clubs = ["Ajax", "Porto", "Lens", "Arsenal", "北京国安", "Chelsea", "Manchester City"]
  private static let filters = [
    "arsenal", "manchester city", "odds < 2", "home >= 4 or porto", "not lens", "zzz", "京", "fav <",
  ]
  private static let channel: [Match] = (1...1000).map { number in
    .football(
      number * 100, "\(clubs[number % 7]) \(number) - \(clubs[number * 3 % 7])",
      start: 1_750_752_000_000 + Int64(number),
      odds: ["\(1 + Double(number % 37) / 10)", "3.1", "\(1 + Double(number % 11) / 2)"])
  }

  /// A feed that answers or refuses the last request.
  private struct Feed {
    let matches: ArraySlice<Match>
    var requestedSize: Int?
    var isRefusing = false

    mutating func receive(_ effects: [Effect]) {
      for effect in effects {
        guard case .openTopic(let topic) = effect, case .aggregator(_, _, let size, _) = topic.content else { continue }
        requestedSize = size
      }
    }

    func page(_ size: Int) -> [Match] { Array(matches.prefix(size)) }
  }

  /// Answers or refuses the requested page.
  private func answer(_ feed: inout Feed, _ board: inout Board) {
    guard !board.state.list.isFrozen, let size = feed.requestedSize.take() else { return }
    if feed.isRefusing {
      _ = board.state.reduce(.topicRefused, now: board.now)
    } else {
      board.replaceTopic(feed.page(size))
    }
  }

  private func open(_ feed: Feed, _ board: inout Board) {
    guard case .aggregator(_, _, let size, _) = board.state.requestedTopic.content else { return }
    let live = Freshness(.live, since: board.now.wall)
    board.effects += board.state.reduce(
      .channelUpdated(ChannelUpdate(changed: feed.page(size), freshness: live)), now: board.now)
  }

  /// Returns the ids of the matches that the filter accepts, by a scan of all of them.
  private func expected(_ board: Board, _ matches: some Collection<Match>) -> Set<MatchID> {
    let filter = board.state.filterState.hiding
    return Set(
      matches.filter { match in
        filter?.matches(board.state.list.rows[id: match.id] ?? MatchRow(match, now: board.now.uptime, newest: nil))
          ?? true
      }.map(\.id))
  }

  private func shown(_ board: Board) -> Set<MatchID> {
    Set((0..<board.state.list.rows.count).map { board.state.list.rows[$0].id })
  }

  @Test("When all requested pages are loaded, a filter shows the matching rows of the whole channel")
  func law() {
    for seed in 0..<25 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var board = Board(rows: 14, columns: 80, channels: BoardChannel.standard(matches: 1000))
      board.state.settings.isLowBandwidth = seed % 5 == 4
      let total = [30, 199, 200, 201, 640, 1000].randomElement(using: &random)!
      var feed = Feed(matches: Self.channel.prefix(total), isRefusing: seed % 7 == 6)
      open(feed, &board)
      for _ in 0..<40 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3:
          board.press(.escape, .character("/"))
          board.type(Self.filters.randomElement(using: &random)!)
          board.press(.enter)
        case 3: board.press(.escape)
        case 4: board.type("s")
        case 5: board.type("p")
        case 6: board.press(.end)
        case 7: board.type("x")
        case 8:
          board.type(["1", "4", "5"].randomElement(using: &random)!)
          if !board.state.connection.isLoaded {
            feed.requestedSize = nil
            board.effects = []
            open(feed, &board)
          }
        case 9: answer(&feed, &board)
        default: board.wait(.seconds(3))
        }
        board.send(.pagesDue)
        feed.receive(board.effects)
        board.effects = []
      }
      // Answer all requests.
      board.press(.escape, .escape)
      if board.state.list.isFrozen { board.type("p") }
      board.type("/")
      board.type(Self.filters.randomElement(using: &random)!)
      board.press(.enter)
      if board.state.filterState.showsAll { board.type("x") }
      for _ in 0..<3 {
        board.send(.pagesDue)
        feed.receive(board.effects)
        board.effects = []
        answer(&feed, &board)
        board.wait(.seconds(3))
        board.paint()
      }
      let loaded = board.state.loaded
      if loaded == nil {
        #expect(shown(board) == expected(board, feed.matches), "seed \(seed)")
      } else {
        // The screen says that not all matches are loaded.
        #expect(feed.isRefusing || board.state.settings.isLowBandwidth, "seed \(seed)")
        #expect(shown(board) == expected(board, feed.matches.prefix(loaded!.count)), "seed \(seed)")
        #expect(board.text.contains("of the first \(loaded!.count)"), "seed \(seed): \(board.text)")
      }
    }
  }

  @Test("While more matches are loading the screen says so, during typing and afterwards")
  func loading() {
    var board = Board(rows: 14, columns: 80, channels: BoardChannel.standard(matches: 20_000))
    var feed = Feed(matches: Self.channel[...])
    open(feed, &board)
    board.type("/manchester city 9")
    feed.receive(board.effects)
    #expect(feed.requestedSize == 20_000)
    board.paint()
    #expect(board.line(13).contains("of 200, loading up to 20,000"))
    board.press(.enter)
    board.paint()
    #expect(board.text.contains("of 200, loading up to 20,000"))
    answer(&feed, &board)
    board.paint()
    #expect(!board.text.contains("loading") && board.text.contains("of 1,000"))
    #expect(shown(board) == expected(board, Self.channel))
  }

  @Test("If no loaded match fits the filter, the screen says how many are loaded")
  func nothing() {
    var board = Board(rows: 14, columns: 80, channels: BoardChannel.standard(matches: 20_000))
    let feed = Feed(matches: Self.channel[...])
    open(feed, &board)
    board.type("/zzz")
    board.press(.enter)
    board.paint()
    #expect(board.text.contains("No result among the 200 matches loaded so far; loading up to 20,000."))
    _ = board.state.reduce(.topicRefused, now: board.now)
    board.paint()
    #expect(board.text.contains("Only the first 200 matches are loaded: no result. Esc clears the filter."))
  }
}
