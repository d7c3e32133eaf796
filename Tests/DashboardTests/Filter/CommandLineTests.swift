import AccountModel
import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The command line.
struct CommandLineTests {
  private var board = Board()

  /// Types a command and returns its error.
  private mutating func run(_ line: String) -> FilterError? {
    board.type(":" + line)
    board.press(.enter)
    defer { if board.state.promptBar.prompt != nil { board.press(.escape) } }
    return board.state.promptBar.prompt?.error
  }

  @Test("Commands and their abbreviations have their effects")
  mutating func commands() {
    board.fill()
    #expect(run("channel tennis") == nil && run("chan 1") == nil && run("c") != nil && run("channel foot") == nil)
    #expect(board.effects == [board.open(2), board.open(0), board.open(1)])
    board.effects = []
    #expect(run("rate 50") == nil && run("rate 2,5") == nil && board.state.rate == 2.5)
    #expect(run("write /tmp/a b.txt ") == nil && run("q") == nil && run("QUIT") == nil)
    #expect(board.effects == [.setRate(50), .setRate(2.5), .write(path: "/tmp/a b.txt"), .quit, .quit])
    #expect(run("throttle 250ms") == nil && board.state.list.throttle.interval == .milliseconds(250))
    #expect(run("throttle 2s") == nil && board.state.list.throttle.interval == .seconds(2))
    #expect(run("throttle off") == nil && board.state.list.throttle.interval == .zero)
    #expect(run("odds hong") == nil && board.state.settings.odds == .hongKong)
    #expect(run("sort name reverse") == nil && board.state.settings.order.key == .name)
    #expect(board.state.settings.order.isReversed)
    #expect(run("sort mar") == nil && board.state.settings.order.key == .margin)
    #expect(!board.state.settings.order.isReversed)
    #expect(run("mouse off") == nil && !board.state.settings.usesMouse)
    #expect(run("mouse") == nil && board.state.settings.usesMouse)
    #expect(run("low on") == nil && board.state.settings.isLowBandwidth)
    #expect(run("theme dark") == nil && board.state.settings.theme == .dark)
    #expect(run("alert favourite < 2") == nil)
    #expect(board.state.alerts.rules.active.map(\.rule.text) == ["favourite < 2.00"])
    #expect(run("help") == nil && board.isHelpOpen(scroll: 0))
    #expect(run("h") == nil && board.state.overlay == nil)
    #expect(run("inspect") == nil && board.state.inspector != nil)
    #expect(run("freeze") == nil && board.state.list.frozenChanges != nil)
    #expect(run("") == nil && run("  ") == nil)
  }

  @Test("A command sets the filter and clears it")
  mutating func filter() {
    board.fill()
    #expect(run("filter odds < 2 and name ~ 北京") == nil && board.state.list.rows.count == 1)
    #expect(run("filter odds <")?.position == 13)
    #expect(board.state.list.rows.count == 1)
    #expect(run("find") == nil && board.state.list.rows.count == 3)
  }

  @Test(
    "An invalid command is refused with the position of the error and a remedy",
    arguments: [
      ("foo", 0, "'foo' is not a command: use one of account, alert, alerts, calculate,"),
      ("w", 1, "'w' is ambiguous: use one of watch, write"),
      ("sort", 4, "'sort' needs an argument: write :sort KEY [reverse]"),
      ("quit now", 5, "'quit' takes no argument: remove 'now'"),
      ("sort up", 5, "'up' is not valid for 'sort': use time, minute, score,"),
      ("sort name backwards", 10, "'backwards' is not valid for 'sort': use reverse"),
      ("odds  x", 6, "'x' is not valid for 'odds': use decimal, fractional,"),
      ("channel t 3", 8, "'t 3' is not valid for 'channel': use Live, Football,"),
      ("channel 0", 8, "'0' is not valid for 'channel'"),
      ("channel -9223372036854775808", 8, "'-9223372036854775808' is not valid for 'channel'"),
      ("theme blue", 6, "'blue' is not valid for 'theme'"),
      ("throttle 61s", 9, "'61s' is not valid for 'throttle': use off, 250ms, 1s, 60s"),
      ("rate 0", 5, "'0' is not valid for 'rate': use 0.1 to 100,000"), ("mouse maybe", 6, "'maybe' is not valid"),
      ("filter (", 8, "a condition is missing here"),
    ])
  mutating func errors(line: String, position: Int, start: String) {
    let error = run(line)
    #expect(error?.position == position)
    #expect(error?.description.hasPrefix(start) == true, "\(String(describing: error))")
  }

  @Test("An invalid command stays in the prompt with the cursor at the error until it is corrected")
  mutating func correcting() {
    board.type(":sort up")
    board.press(.enter)
    #expect(board.state.promptBar.prompt?.cursor == 5 && board.state.promptBar.prompt?.error != nil)
    board.press(.control("k"))
    #expect(board.state.promptBar.prompt?.error == nil)
    board.type("name")
    board.press(.enter)
    #expect(board.state.promptBar.prompt == nil && board.state.settings.order.key == .name)
    board.type(":")
    board.press(.up)
    #expect(board.state.promptBar.prompt?.text == "sort name")
  }

  @Test("The rate command is refused for a feed without a rate")
  mutating func noRate() {
    board = Board(rate: nil)
    #expect(run("rate 5")?.sentence == LocalizedMessage(.commandNoRate))
  }

  @Test("Tab completes command names and arguments")
  mutating func completion() {
    board.fill()
    let scripts: [(typed: String, tabs: Int, text: String)] = [
      ("so", 1, "sort "), ("so", 2, "sort time"), ("so", 3, "sort minute"), ("sort n", 1, "sort name"),
      ("sort name ", 1, "sort name reverse"), ("channel te", 1, "channel Tennis"), ("od", 1, "odds "),
      ("odds h", 1, "odds hong-kong"), ("a", 1, "account"), ("a", 2, "alert "), ("a", 4, "a"), ("x", 1, "x"),
      ("filter ma", 1, "filter margin "), ("filter sport = ", 1, "filter sport = "), ("", 1, "account"),
      ("theme ", 1, "theme auto"), ("throttle 2", 1, "throttle 250ms"), ("quit ", 1, "quit "),
      ("history ma", 1, "history ma"), ("history p", 1, "history part "), ("history p", 2, "history pending "),
      ("history p", 3, "history p"), ("history name = a", 1, "history name = Ajax "),
    ]
    for (typed, tabs, text) in scripts {
      board.type(":" + typed)
      for _ in 0..<tabs { board.press(.tab) }
      #expect(board.state.promptBar.prompt?.text == text, "\(typed)")
      board.press(.escape)
    }
    board.type(":s")
    board.press(.backTab)
    #expect(board.state.promptBar.prompt?.text == "sort ")
  }

  @Test("Tab completes a filter's fields, comparisons, values and logical operators")
  mutating func queryCompletion() {
    board.update(.football(100, "Ajax - Porto"), .football(200, "Real Madrid - Porto"))
    let scripts: [(typed: String, tabs: Int, text: String)] = [
      ("ma", 1, "margin "), ("odds ", 1, "odds < "), ("odds ", 2, "odds <= "), ("odds < ", 1, "odds < 2.5 "),
      ("name = a", 1, "name = Ajax "), ("name = r", 1, "name = \"Real Madrid\" "),
      ("name = \"re", 1, "name = \"Real Madrid\" "),
      ("live a", 1, "live away "), ("live a", 2, "live and "), ("an", 1, "an"), ("n", 1, "name "), ("n", 2, "not "),
      ("not s", 1, "not score "), ("country = ", 1, "country = "),
    ]
    for (typed, tabs, text) in scripts {
      board.type("/" + typed)
      for _ in 0..<tabs { board.press(.tab) }
      #expect(board.state.promptBar.prompt?.text == text, "\(typed)")
      board.press(.escape)
    }
    // A completed word filters at once.
    board.type("/name = r")
    board.press(.tab)
    #expect(board.state.list.rows.count == 1)
  }

  @Test("A dialog receives keys before the prompt, and the prompt before the board's commands")
  mutating func order() {
    board.type(":ab")
    board.send(.accountFound(canEndSession: false))
    board.account(AccountStatus().with { $0.phase = .refused(user: "x", FeedError("Wrong", remedy: "Again")) })
    board.type("z")
    #expect(board.state.promptBar.prompt?.text == "ab")
    board.account(.live())
    board.type("q")
    #expect(board.state.promptBar.prompt?.text == "abq" && board.effects == [])
  }

  @Test("Each command has a help text and is found by its name")
  func table() throws {
    for command in NamedCommand.allCases {
      #expect(try CommandText(command.rawValue).command() == command)
      #expect(!Catalog.english(command.help).isEmpty && command.usage.hasPrefix(":"))
    }
  }

  @Test("After any command, the screen has only whole characters, and an error is in the line", arguments: 0..<100)
  mutating func wild(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    board.fill()
    let words =
      NamedCommand.allCases.map(\.rawValue) + [
        "", "1", "off", "odds", "<", "(", "é", "reverse", "-", "999999999999999999999",
      ]
    for _ in 0..<10 {
      let line = (0..<Int.random(in: 0..<4, using: &random)).map { _ in words.randomElement(using: &random)! }.joined(
        separator: " ")
      board.type(":" + line)
      for _ in 0..<Int.random(in: 0..<3, using: &random) { board.press(Bool.random(using: &random) ? .tab : .left) }
      board.paint()
      board.press(.enter)
      if let prompt = board.state.promptBar.prompt {
        if let error = prompt.error { #expect((0...prompt.text.count).contains(error.position), "\(prompt.text)") }
        board.press(.escape)
      }
      if board.state.overlay != nil { board.press(.escape) }
      board.paint()
      #expect(board.screen.content.rows.allSatisfy { $0.isWhole })
    }
  }
}
