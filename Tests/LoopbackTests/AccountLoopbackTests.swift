import AccountModel
import Dashboard
import FeedServer
import FeedSimulator
import Localization
import TerminalCore
import TestSupport
import Testing

@testable import toteboard

@Suite("An account over real sockets", .timeLimit(.minutes(45)))
struct AccountLoopbackTests {
  /// 2025-06-15T15:06:40Z, in milliseconds since 1970: the server's time and the board's.
  private static let now: Int64 = 1_750_000_000_000
  /// Too narrow for the column of ages, which depend on how busy the machine is.
  private static let size = Size(rows: 22, columns: 56)

  @Test(
    "The board shows a login, a changed balance, the end of the session and a new login in each language",
    arguments: Language.allCases)
  func session(language: Language) async throws {
    let server = try await Self.server()
    let hub = try #require(server.accounts)
    let words = Catalog(language)
    let board = try LoopbackBoard(
      server.url, login: .init(user: "anna", password: Secret("pw")), size: Self.size, words: words, wall: { Self.now })
    func see(_ name: String, _ isShown: @escaping @Sendable (String) -> Bool) async {
      let text = Self.rested(await board.screen.waitUntil(isShown))
      #expect(text == Golden.text("\(language.rawValue)-\(name)", recording: text), "\(name)")
    }
    let isIn = { @Sendable (text: String) in
      let header = text.prefix { $0 != "\n" }
      // A board that polls, because the stream is late, shows its state as text.
      let isLive = header.firstRange(of: "● ").map { header[$0.upperBound...].first?.isNumber == true } ?? false
      return isLive && header.contains(" EUR") && !header.contains("EUR?") && text.contains(" - ")
    }
    await see("1-in", isIn)
    hub.post(1_250, to: "anna")
    board.input.press(.character("$"))
    await see("2-pane") { isIn($0 + " - ") && $0.contains(words(.accountCredit)) }
    board.input.press(.character("$"))
    await board.screen.waitUntil { !$0.contains(words(.accountPostings)) }
    hub.endAll(of: "anna", .kicked)
    // The end of the session closes the socket, and a new socket is refused without a session.
    await see("3-kicked") { $0.contains(words(.accountSessionEnded)) && $0.contains(words(.statusFailed)) }
    let button = try #require(board.screen.text.position(of: "[ \(words(.accountLogin)) ]"))
    board.input.click(MousePress(row: button.row, column: button.column))
    for character in "pw" { board.input.press(.character(character)) }
    await see("4-login") { $0.contains(words(.accountFormPassword)) && $0.contains("••") }
    board.input.press(.enter)
    await see("5-in-again", isIn)
    #expect(hub.counts.sessions == 1)
    await board.quit()
    #expect(hub.counts.sessions == 0)
    await server.stop()
  }

  /// Returns the text without the counters, which depend on how busy the machine is.
  private static func rested(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    lines.remove(at: size.rows - 2)
    return lines.map { $0.reversed().drop { $0 == " " }.reversed() }.map { String($0) }.joined(separator: "\n")
  }

  /// Starts a server that requires a login, and whose prices and balances change only on demand.
  private static func server() async throws -> LoopbackServer {
    let server = LoopbackServer(startTime: now)
    server.freeze()
    var users = UserList()
    users.add("anna", try PasswordHash(of: Secret("pw"), cost: .light))
    var accounts = AccountOptions(users: users) { now }
    accounts.seed = 1
    accounts.pace = 1 << 50
    let options = accounts
    try await server.start {
      $0.accounts = options
      $0.requiresLogin = true
    }
    return server
  }
}
