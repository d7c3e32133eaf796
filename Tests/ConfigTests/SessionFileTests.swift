import Dashboard
import OddsModel
import Platform
import TerminalCore
import TestSupport
import Testing

@testable import toteboard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("The session file of a board")
struct SessionFileTests {
  private let directory = TemporaryDirectory()
  private var file: SessionFile { SessionFile(directory: "\(directory.path)/state", feed: "simulated") }

  @Test("A session is read back as it was written, only for its feed; only its owner can read the file")
  func back() throws {
    var session = BoardSession()
    #expect(try file.read() == nil)
    session.channel = "Li\"ve\\"
    session.filter = "odds < 2\t\n[[pin]] 北京 \u{7F}"
    session.odds = .init(.american, configured: .decimal)
    var order = RowOrder()
    order.key = .mover
    order.isReversed = true
    session.order = .init(order, configured: RowOrder())
    session.columns = .init(try ChosenColumn.list(["name:30", "5m"]), configured: [])
    session.theme = .init("light", configured: "dark")
    session.foldsCounters = true
    session.watchLists = [
      WatchList(name: "Erste", pins: [.init(match: "1", offers: ["2", "3"]), .init(match: "4", offers: [])])
    ]
    session.watchLists.append(WatchList(name: "德\"比\n", pins: [.init(match: "5", offers: ["6"])]))
    session.watchLists.append(WatchList(name: "empty", pins: []))
    session.currentWatchList = "empty"
    try file.write(session.toml)
    session.watchLists[1] = WatchList(name: "德\"比\n".cleaned, pins: session.watchLists[1].keptPins)
    #expect(try file.read() == session)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try SessionFile(directory: file.directory, feed: "host").read() == nil)
    try file.write(BoardSession().toml)
    #expect(try file.read() == BoardSession())
  }

  @Test("A session with an unknown sort key or column keeps everything else")
  func unknownName() throws {
    try file.write(
      Array(
        "sort = [\"overround\", \"time\"]\ncolumns = [\"name cost\", \"\"]\n[[pin]]\nmatch = \"7\"\noffers = []\n".utf8)
    )
    var expected = BoardSession()
    expected.watchLists = [WatchList(name: "", pins: [.init(match: "7", offers: [])])]
    #expect(try file.read() == expected)
  }

  @Test(
    "A damaged file is set aside and reported once, and an empty file is an empty session",
    arguments: [
      "", "channel = 1", "odds = \"decimal\"", "sort = [\"time\"]", "columns = [\"name\"]", "pin = 3",
      "folded-counters = 1",
      "[[pin]]\nmatch = 1", "[[", "watch-list = 1", "[[watch-list]]\npin = []", "[[watch-list]]\nname = 1",
      "[[watch-list]]\nname = \"a\"\npin = 1", "first-watch-list = 1", "current-watch-list = []",
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

  @Test("A damaged file is set aside beside older damaged files, up to a limit")
  func damagedAgain() throws {
    for number in 0..<15 {
      try file.write(Array("[[\(number)".utf8))
      #expect(throws: SessionFileError.self) { try file.read() }
    }
    let names = directory.names(in: "state").sorted()
    #expect(names.count == 10 && names.allSatisfy { $0.contains(".damaged") })
    func text(_ suffix: String) throws -> String? {
      try PrivateFile.read(file.path + suffix, maxBytes: 100).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try text(".damaged") == "[[0")
    #expect(try text(".damaged.2") == "[[1")
    #expect(try text(".damaged.10") == "[[14")
  }

  @Test("Pins from a version without named lists are in the first list")
  func migration() throws {
    try file.write(Array("filter = \"ajax\"\n[[pin]]\nmatch = \"7\"\noffers = [\"8\"]\n".utf8))
    let lists = try file.read()?.watchLists
    #expect(lists == [WatchList(name: "", pins: [.init(match: "7", offers: ["8"])])])
  }

  @Test("A file with duplicate or empty list names loses no match")
  func doubles() throws {
    func list(_ name: String, _ match: Int) -> String {
      "[[watch-list]]\nname = \"\(name)\"\n[[watch-list.pin]]\nmatch = \"\(match)\"\noffers = []\n"
    }
    try file.write(Array((list("A", 1) + list("a", 2) + list(" ", 3)).utf8))
    let lists = try file.read()?.watchLists
    #expect(lists?.map(\.name) == ["", "A"])
    #expect(lists?.map { $0.keptPins.map(\.match) } == [["3"], ["1", "2"]])
  }

  @Test("The lists of boards that write at once are kept, and a write after damage is accepted")
  func twoBoards() async throws {
    let file = file
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          var session = BoardSession()
          session.watchLists = [WatchList(name: "", pins: []), WatchList(name: "L\(number)", pins: [])]
          for _ in 0..<5 { _ = try? file.write(session, since: []) }
        }
      }
    }
    #expect(try file.read()?.watchLists.map(\.name).sorted() == [""] + (0..<8).map { "L\($0)" })
    try file.write(Array("[[".utf8))
    var session = BoardSession()
    session.watchLists = [WatchList(name: "first", pins: [])]
    #expect(try file.write(session, since: []) == session)
    #expect(try file.read() == session)
    #expect(directory.names(in: "state").contains { $0.hasSuffix(".damaged") })
  }

  @Test("A file has room for ten thousand lists")
  func many() throws {
    var session = BoardSession()
    session.watchLists = (0..<10_000).map { number in
      WatchList(name: number == 0 ? "" : "List \(number)", pins: [.init(match: "\(number)", offers: ["1", "2", "3"])])
    }
    try file.write(session.toml)
    #expect(try file.read() == session)
  }
}

extension SessionFile {
  /// Replaces the file.
  fileprivate func write(_ bytes: [UInt8]) throws {
    try PrivateFile.makeDirectory(directory)
    try PrivateFile.replace(path, with: bytes)
  }
}
