import ArgumentParser
import Testing

@testable import toteboard_server

@Suite struct RoleArgumentTests {
  private func problem(_ arguments: String) -> String? {
    do {
      _ = try ToteboardServer.parse(arguments.split(separator: " ").map(String.init))
      return nil
    } catch { return ToteboardServer.message(for: error) }
  }

  @Test("Gateways have users, with a key that all of them share; a book has none")
  func users() {
    let (gateway, book) = ("--role gateway --nats nats://127.0.0.1:1", "--role book --nats nats://127.0.0.1:1")
    #expect(problem("\(gateway) --users users --token-key-file key --require-login --admin 127.0.0.1:0") == nil)
    #expect(problem("\(gateway)") == nil)
    for users in ["--users users", "--demo-user anna:pw"] {
      #expect(problem("\(gateway) \(users)")?.contains("requires --token-key-file") == true)
      #expect(problem("\(book) \(users)")?.contains("log in at the gateways") == true)
      #expect(problem(users) == nil)
    }
    for option in ["--admin 127.0.0.1:0", "--session-ttl 12h"] {
      #expect(problem("\(gateway) \(option)")?.contains("requires users") == true)
    }
  }

  @Test("A book has no clients: an option about them is an error, also with its default value")
  func clients() {
    for option in ["--max-sessions 10000", "--max-topics 64", "--trusted-proxy 127.0.0.1", "--realm a"] {
      let text = problem("--role book --nats nats://127.0.0.1:1 \(option)")
      #expect(text?.contains("\(option.prefix { $0 != " " }) has no effect with --role 'book'") == true)
      #expect(problem(option) == nil)
    }
  }
}
