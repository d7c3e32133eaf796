import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The header shows the state of the connection at any width, and errors are shown with their remedies.
struct ConnectionStatusTests {
  private static let start: Int64 = 1_750_752_000_000
  static let refused = FeedError(
    "'ws://127.0.0.1:1/v2' refuses the connection", remedy: "see whether the server runs, and on that port")
  private static let noTopic = FeedError("the feed knows no topic '/a'", remedy: "change the channels' file")
  private static let noAPI = FeedError("'/api/odds' answers 503", remedy: "it is asked again")

  /// The state of a channel.
  struct HeaderState: Sendable {
    var name: String
    var connection = ConnectionState.live
    var grade = Freshness.Grade.locked
    var topic = TopicState.live
    var source = DataSource.stream
    var apiProblem: FeedError?
    /// The time for which it has had this state, in seconds.
    var seconds = 0
    /// The text of the header.
    var words: String
  }

  private static func waiting(_ seconds: Int64, _ attempt: Int) -> ConnectionState {
    .waiting(Retry(attempt: attempt, time: start + seconds * 1000, reason: refused))
  }

  private static let headerStates = [
    HeaderState(name: "live", grade: .live, words: "● live"),
    HeaderState(name: "connecting", connection: .connecting(attempt: 1), source: .none, words: "? connecting"),
    HeaderState(
      name: "attempt", connection: .connecting(attempt: 3), seconds: 12, words: "? locked 12s, connecting, attempt 3"),
    HeaderState(name: "handshaking", connection: .handshaking, source: .none, words: "? handshaking"),
    HeaderState(name: "recovering", connection: .recovering, seconds: 3, words: "? locked 3s, recovering"),
    HeaderState(name: "waiting", connection: waiting(13, 4), seconds: 1, words: "? locked 1s, waiting 12 s, attempt 4"),
    HeaderState(name: "waiting-first", connection: waiting(12, 4), source: .none, words: "? waiting 12 s, attempt 4"),
    HeaderState(name: "delayed", grade: .delayed, seconds: 7, words: "● delayed 7s"),
    HeaderState(name: "locked", seconds: 12, words: "? locked 12s"),
    HeaderState(
      name: "polling", connection: waiting(12, 4), grade: .delayed, source: .polling,
      words: "● polling, waiting 12 s, attempt 4"),
    HeaderState(
      name: "polling-lost", connection: waiting(12, 4), source: .polling, apiProblem: noAPI, seconds: 2,
      words: "? locked 2s, waiting 10 s, attempt 4"),
    HeaderState(
      name: "maintenance", topic: .maintenance(retryAt: start + 8000), source: .none,
      words: "? maintenance, retry in 8 s"),
    HeaderState(
      name: "maintenance-polled", grade: .delayed, topic: .maintenance(retryAt: start + 8000), source: .polling,
      words: "● polling, maintenance, retry in 8 s"),
    HeaderState(name: "loading", topic: .requested, source: .none, words: "? loading"),
    HeaderState(
      name: "cached-loading", topic: .requested, source: .cache(savedAt: start - 57 * 60_000),
      words: "? cached 07:03, loading"),
    HeaderState(name: "no-answer", topic: .late, source: .none, words: "? no answer"),
    HeaderState(
      name: "first-answer", connection: .connecting(attempt: 1), grade: .delayed, source: .api, words: "? connecting"),
    HeaderState(
      name: "cached", connection: .connecting(attempt: 1), source: .cache(savedAt: start - 57 * 60_000),
      words: "? cached 07:03, connecting"),
    HeaderState(
      name: "cached-old", connection: .connecting(attempt: 1), source: .cache(savedAt: start - 50 * 3_600_000),
      words: "? cached 2d ago, connecting"),
    HeaderState(
      name: "topic-error", topic: .retrying(noTopic, at: start + 8000), source: .none,
      words: "? topic error, retry in 8 s"),
    HeaderState(name: "refused", topic: .refused(noTopic), source: .none, words: "■ refused"),
    HeaderState(name: "failed", connection: .failed(refused), grade: .closed, words: "■ failed"),
    HeaderState(
      name: "failed-polled", connection: .failed(refused), grade: .delayed, source: .polling, words: "● polling, failed"
    ),
    HeaderState(name: "offline", connection: .idle, seconds: 20, words: "■ offline 15s"),
    HeaderState(name: "ended", connection: .ended, grade: .closed, words: "■ feed ended"),
  ]

  private func board(_ state: HeaderState, rows: Int = 24, columns: Int = 80, glyphs: GlyphSet = .unicode) -> Board {
    var board = Board(
      rows: rows, columns: columns, rate: nil, glyphs: glyphs, feedName: "odds.example", canReconnect: true)
    let hasRows = state.source != .none
    if hasRows {
      board.fill()
      board.paint()
    }
    board.updateFreshness(
      state.grade, connection: state.connection, lastSign: state.grade == .delayed ? board.now.wall : nil,
      isLoaded: hasRows, topic: state.topic, source: state.source, apiProblem: state.apiProblem)
    board.wait(.seconds(state.seconds))
    board.paint()
    return board
  }

  @Test("The header shows the text of each connection state at 80 columns", arguments: headerStates)
  func words(state: HeaderState) {
    let board = board(state)
    #expect(board.line(0).contains(state.words), "\(board.line(0))")
    let text = view(board.state, now: board.now).text
    #expect(text == Golden.text("line-\(state.name)-80x24", recording: text))
  }

  @Test("The text of a state is shortened on 40 columns, and at least its mark is shown on 20", arguments: headerStates)
  func narrow(state: HeaderState) {
    let mark = String(state.words.prefix(1))
    let status = board(state).state.connectionStatus(now: board(state).now).brief(.english)
    let line = board(state, columns: 40).line(0)
    // The names of the tabs take precedence over the word for the usual state.
    #expect(line.contains(mark) && (state.name == "live" || line.contains(status)), "\(line)")
    #expect(board(state, rows: 8, columns: 20).line(0).contains(mark))
    #expect(
      board(state, rows: 8, columns: 20, glyphs: .ascii).line(0).contains(["●": "*", "■": "#", "?": "?"][mark]!))
  }

  @Test("Small screens show a status", arguments: ["waiting", "polling", "maintenance", "cached", "failed"], [40, 20])
  func narrowScreens(name: String, columns: Int) {
    let board = board(Self.headerStates.first { $0.name == name }!, rows: 10, columns: columns)
    let text = view(board.state, now: board.now).text
    #expect(text == Golden.text("line-\(name)-\(columns)x10", recording: text))
  }

  @Test("A countdown and an age change each second, and only the header is repainted for them")
  func countdown() {
    var board = board(Self.headerStates.first { $0.name == "waiting" }!)
    board.paint()
    for seconds in (1...11).reversed() {
      board.wait(board.state.nextDeadline(after: board.now) - board.now.uptime)
      #expect(board.paint().map(\.row) == [0])
      #expect(board.line(0).contains("waiting \(seconds) s, attempt 4"))
      #expect(board.now.wall == Self.start + Int64(13 - seconds) * 1000)
    }
    board.wait(.seconds(1))
    board.paint()
    #expect(board.line(0).contains("waiting, attempt 4"))
  }

  @Test("A countdown is not aligned to whole seconds of the clock")
  func fraction() {
    var board = Board(rate: nil)
    board.updateFreshness(
      .locked, connection: .waiting(Retry(attempt: 2, time: board.now.wall + 2300, reason: Self.refused)),
      isLoaded: false)
    board.paint()
    #expect(board.line(0).contains("waiting 3 s"))
    #expect(board.state.nextDeadline(after: board.now) - board.now.uptime == .milliseconds(300))
  }

  @Test(
    "A board without updates wakes only once a minute if it is live, cached or polled after a failure",
    arguments: ["live", "cached", "failed-polled"])
  func rest(name: String) {
    var board = board(Self.headerStates.first { $0.name == name }!)
    board.wait(.seconds(3))
    board.paint()
    #expect(board.state.nextDeadline(after: board.now) == board.now.uptime + board.now.untilNextMinute)
    board.wait(.seconds(20))
    #expect(board.paint().isEmpty)
  }

  @Test("The cause of a lost connection and its remedy stay in full below the rows until it recovers")
  func footer() {
    var board = board(Self.headerStates.first { $0.name == "waiting" }!, columns: 80)
    let rows = (1..<22).map(board.line)
    let footer = [
      "'ws://127.0.0.1:1/v2' refuses the connection", "r reconnect see whether the server runs, and on that port",
    ]
    #expect((22..<24).map(board.line) == footer)
    for state in [ConnectionState.connecting(attempt: 4), .handshaking] {
      board.updateFreshness(.locked, connection: state)
      board.paint()
      #expect((22..<24).map(board.line) == footer)
    }
    #expect((1..<22).map(board.line) == rows)
    board.updateFreshness(.locked, connection: .recovering)
    board.paint()
    #expect(board.line(22).contains("fps"))
    #expect(board.line(23).hasPrefix("Enter open / find"))
  }

  @Test("An error of the REST API is shown too, until the API answers")
  func apiError() {
    var board = board(Self.headerStates.first { $0.name == "polling-lost" }!, columns: 160)
    #expect(board.line(22).hasSuffix("refuses the connection; '/api/odds' answers 503"))
    #expect(board.line(23).hasSuffix("on that port; it is asked again"))
    board.updateFreshness(.delayed, connection: .connecting(attempt: 5), source: .polling)
    board.paint()
    #expect(!board.line(22).contains("503") && board.line(23).hasSuffix("on that port"))
    board.updateFreshness(.live)
    board.paint()
    #expect(board.line(23).hasPrefix("Enter open / find"))
  }

  @Test("Without rows the error and its remedy are shown in their place, wrapped between words")
  func notice() {
    let board = board(Self.headerStates.first { $0.name == "waiting-first" }!, columns: 40)
    #expect(board.line(2) == " 'ws://127.0.0.1:1/v2' refuses the")
    #expect(board.line(3) == " connection: see whether the server")
    #expect(board.line(4) == " runs, and on that port.")
  }

  @Test("r reconnects a feed that has a connection, even after a failure, and is in the footer and the help")
  func reconnect() {
    for name in ["waiting", "failed", "live"] {
      var board = board(Self.headerStates.first { $0.name == name }!)
      board.effects = []
      board.type("r")
      #expect(board.effects == [.reconnect])
    }
    var file = Board()
    file.type("r")
    #expect(file.effects.isEmpty)
    file.paint()
    #expect(!file.line(23).contains("reconnect"))
    #expect(board(Self.headerStates[0], columns: 120).line(23).contains("r reconnect"))
    #expect(KeyBinding.all.contains { $0.names == ["reconnect"] && $0.help == .helpReconnect })
  }

  @Test("A new channel does not inherit the topic state, the source and the errors of the old one")
  func channels() {
    var board = board(Self.headerStates.first { $0.name == "maintenance-polled" }!)
    board.type("2")
    board.paint()
    #expect(board.line(0).contains("? loading"))
    #expect(board.state.connection.problems.isEmpty)
  }
}
