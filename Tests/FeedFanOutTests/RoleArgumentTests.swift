import AccountModel
import ArgumentParser
import FeedServer
import Platform
import TestSupport
import Testing

@testable import FeedFanOut
@testable import toteboard_server

@Suite struct RoleArgumentTests {
  private func problem(_ arguments: String) -> String? {
    do {
      _ = try ToteboardServer.parse(arguments.split(separator: " ").map(String.init))
      return nil
    } catch { return ToteboardServer.message(for: error) }
  }

  @Test("A gateway with users requires a token key file, and a book accepts no users")
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

  @Test("A book rejects options for clients, even with their default values")
  func clients() {
    for option in [
      "--max-sessions 10000", "--max-topics 64", "--max-topics-per-address 64", "--trusted-proxy 127.0.0.1",
      "--realm a",
    ] {
      let text = problem("--role book --nats nats://127.0.0.1:1 \(option)")
      let parts = option.split(separator: " ")
      #expect(text?.contains("\(parts[0]) '\(parts[1])' has no effect with --role 'book'") == true)
      #expect(problem(option) == nil)
    }
  }

  @Test(
    "An option without an effect is an error that shows its value but no password",
    arguments: [
      ("--demo-user a:hush --demo-user a:hush2", "--demo-user 'a' is given more than once"),
      ("--role book --nats nats://127.0.0.1:1 --demo-user a:hush", "--demo-user 'a' has no effect with --role 'book'"),
      ("--admin 127.0.0.1:0", "--admin '127.0.0.1:0' requires users"),
      ("--require-login", "--require-login requires users"),
      ("--speed 2", "--speed '2' requires a recording"), ("--loop", "--loop requires a recording"),
      ("--feed ws://a --matches 5", "--matches '5' has no effect with --feed"),
      ("--feed-realm a", "--feed-realm 'a' requires an upstream feed"),
      ("--feed ws://a,ws://b --feed-ca-file f", "--feed-ca-file 'f' has no effect with --feed 'ws://a,ws://b'"),
      ("--nats nats://me:hush@a:1,nats://b:2", "--nats 'a:1,nats://b:2' has no effect with --role 'all'"),
      ("--cluster-name a", "--cluster-name 'a' has no effect with --role 'all'"),
    ])
  func unused(arguments: String, message: String) {
    let text = problem(arguments) ?? ""
    #expect(text.contains(message), "\(text)")
    #expect(!text.contains("hush"))
  }

  @Test(
    "A server that passes a feed on allows an address a quarter of its topics, unless the option has another number",
    arguments: [
      ("", 128), ("--feed ws://a", 50), ("--feed ws://a --max-topics-per-address 200", 200),
      ("--max-topics-per-address 7", 7),
    ])
  func topics(arguments: String, limit: Int) throws {
    let server = try ToteboardServer.parse(arguments.split(separator: " ").map(String.init))
    #expect(try server.serverOptions().limits.openTopicsOfAddress == limit)
  }

  @Test("--feed-ca-file is accepted if at least one feed address is encrypted")
  func authority() {
    #expect(problem("--feed ws://a,wss://b --feed-ca-file f") == nil)
  }

  @Test("A demo user that is also in the users file is an error")
  func twice() throws {
    let file = TemporaryFile("anna:\(try PasswordHash(of: Secret("pw"), cost: .light).text)\n")
    var options = ServerOptions()
    var arguments = try AccountArguments.parse(["--users", file.path, "--demo-user", "ben:hush"])
    try arguments.apply(to: &options)
    arguments = try AccountArguments.parse(["--users", file.path, "--demo-user", "anna:hush"])
    let error = #expect(throws: ServerError.self) { try arguments.apply(to: &options) }
    let text = "\(try #require(error))"
    #expect(text.contains("'anna' is also in the users file '\(file.path)'") && !text.contains("hush"))
  }

  @Test("--nats takes ports from 1 to 65535, or none; the error shows the address without its password")
  func ports() {
    #expect((-1...70_000).filter { NATSOptions.isAddress("nats://a:\($0)") } == Array(1...65_535))
    for server in [
      "nats://a", "tls://a:", "nats://[::1]", "nats://[::1]:4222", "nats://me:5@a", "nats://me:hush@a:1/path",
    ] {
      #expect(NATSOptions.isAddress(server), "\(server)")
    }
    for port in ["abc", "99999", "0", "+1", "1x", "18446744073709551617"] {
      let text = problem("--role book --nats nats://a,tls://me:hush@[::1]:\(port)") ?? ""
      #expect(text.contains("--nats '[::1]:\(port)' is not a NATS address") && text.contains("a port from 1 to 65535"))
      #expect(!text.contains("hush"))
    }
    #expect(problem("--role book --nats nats://") != nil && problem("--role book --nats http://a:1") != nil)
  }

  @Test("NATS error messages omit the source positions of the library")
  func positions() {
    #expect(NATSError.withoutPosition("(conn.c:1234): no (usable) server") == "no (usable) server")
    for text in ["", "(a): b", "timeout", "(x.c:y): z"] { #expect(NATSError.withoutPosition(text) == text) }
  }
}
