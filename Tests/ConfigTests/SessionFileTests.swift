import Dashboard
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import toteboard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("What is kept of a board")
struct SessionFileTests {
  private let directory = TemporaryDirectory()
  private var file: SessionFile { SessionFile(directory: "\(directory.path)/state", feed: "simulated") }

  @Test("comes back as it was, whatever its texts are, for its feed alone; its owner alone can read it")
  func back() throws {
    var session = BoardSession()
    #expect(try file.read() == nil)
    (session.channel, session.filter) = ("Li\"ve\\", "odds < 2\t\n[[pin]] 北京 \u{7F}")
    session.odds = .init(.american, configured: .decimal)
    var order = RowOrder()
    (order.key, order.isReversed) = (.mover, true)
    session.order = .init(order, configured: RowOrder())
    session.columns = .init(try ChosenColumn.list(["name:30", "5m"]), configured: [])
    session.theme = .init("light", configured: "dark")
    session.foldsCounters = true
    session.pins = [.init(match: "1", offers: ["2", "3"]), .init(match: "4", offers: [])]
    try file.write(session.toml)
    #expect(try file.read() == session)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try SessionFile(directory: file.directory, feed: "host").read() == nil)
    try file.write(BoardSession().toml)
    #expect(try file.read() == BoardSession())
  }

  @Test("with the name of a choice of another version keeps everything else")
  func unknownName() throws {
    try file.write(
      Array(
        "sort = [\"overround\", \"time\"]\ncolumns = [\"name cost\", \"\"]\n[[pin]]\nmatch = \"7\"\noffers = []\n".utf8)
    )
    var expected = BoardSession()
    expected.pins = [.init(match: "7", offers: [])]
    #expect(try file.read() == expected)
  }

  @Test(
    "that is damaged is set aside and told, once",
    arguments: [
      "", "channel = 1", "odds = \"decimal\"", "sort = [\"time\"]", "columns = [\"name\"]", "pin = 3",
      "folded-counters = 1",
      "[[pin]]\nmatch = 1", "[[",
    ])
  func damaged(text: String) throws {
    try file.write(Array(text.utf8))
    guard !text.isEmpty else {
      #expect(try file.read() == BoardSession())
      return
    }
    #expect { try file.read() } throws: { "\($0)".contains("\(file.path).damaged") }
    #expect(try file.read() == nil)
    #expect(directory.names(in: "state").count == 1)
  }
}
