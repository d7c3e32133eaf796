import Dashboard
import Localization
import OddsFeed
import OddsModel
import TerminalCore
import TestSupport
import Testing

/// A second provider, with a protocol and topics of its own, on the board.
struct ToyBoardTests {
  private var board = Board(
    channels: BoardChannel.standard(ToyCatalog(), matches: 100, words: .english), feedName: "toy", catalog: ToyCatalog()
  )
  private var decoder = ToyDecoder()
  private var batch = FeedBatch()
  private var feed = ChannelState()

  /// Decodes a message and updates the board with the changed match.
  private mutating func send(_ text: String, changing match: MatchID) throws {
    Array(text.utf8).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
    feed.apply(batch)
    batch.removeAll()
    let changed = feed.match(match)
    board.update(try #require(changed))
    board.paint()
  }

  @Test("With only a decoder and a catalog, the board shows a provider's matches and opens its topics")
  mutating func provider() throws {
    try send("dump Ajax-Porto:2.5", changing: 1)
    #expect(board.line(2).contains("Ajax - Porto") && board.line(2).contains("2.50"))
    try send("price 1 2.6", changing: 1)
    #expect(board.line(2).contains("2.60▲"))

    board.press(.enter)
    #expect(board.effects.last == .openMatch(1, of: Topic(path: "matches/100")))
    board.press(.escape)
    board.type("m0")
    #expect(board.effects.last == .openChannel(Topic(path: "offers/1")))
  }
}
