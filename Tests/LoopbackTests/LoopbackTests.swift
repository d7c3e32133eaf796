import Dashboard
import EveryMatrix
import FeedServer
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import toteboard

@Suite("A board over real sockets", .timeLimit(.minutes(45)))
struct LoopbackTests {
  @Test("shows the server's matches and updates, and those of another channel when it is selected")
  func live() async throws {
    let server = LoopbackServer()
    try await server.start()
    let board = try LoopbackBoard(server.url)
    let names = try await server.matches(of: board.channels[0].topic).map(\.labels.home)
    let shown = await board.screen.waitUntil { text in
      text.contains("● live") && names.filter { text.contains($0.prefix(8)) }.count > 5
    }
    await board.screen.waitUntil { $0 != shown }
    board.input.press(.character("3"))
    let tennis = try await server.matches(of: board.channels[2].topic).map(\.labels.home)
    await board.screen.waitUntil { text in tennis.contains { text.contains($0.prefix(8)) } }
    await board.quit()
    await server.stop()
  }

  @Test("locks prices when the server stops, shows the next attempt, and is live again after the restart")
  func loss() async throws {
    let server = LoopbackServer()
    try await server.start()
    let board = try LoopbackBoard(server.url)
    await board.screen.waitUntil { $0.contains("● live") && $0.contains("1.") }
    await server.stop()
    await board.screen.waitUntil { ($0.contains("attempt") || $0.contains("connecting")) && $0.contains("?") }
    try await server.start()
    board.input.press(.character("r"))
    let names = try await server.matches(of: board.channels[0].topic).map(\.labels.home)
    await board.screen.waitUntil { text in
      text.contains("● live") && names.filter { text.contains($0.prefix(8)) }.count > 5
    }
    await board.quit()
    await server.stop()
  }

  @Test("reconnects to another address when the server in use stops, and names the address in use")
  func failover() async throws {
    let servers = [LoopbackServer(seed: 10), LoopbackServer(seed: 20)]
    for server in servers { try await server.start() }
    let board = try LoopbackBoard(
      servers.map(\.url).joined(separator: ","), size: Size(rows: 24, columns: 140))
    await board.screen.waitUntil { $0.contains("● live") && $0.contains("1.") }
    for _ in 0..<3 {
      let lost = board.connections.session.currentAddress
      let (old, new) = (servers[lost], servers[1 - lost])
      await board.screen.waitUntil { $0.contains("127.0.0.1:\(old.port)") }
      await old.stop()
      // The other server has other matches.
      let names = try await new.matches(of: board.channels[0].topic).map(\.labels.home)
      await board.screen.waitUntil { text in
        text.contains("127.0.0.1:\(new.port)") && text.contains("● live")
          && names.filter { text.contains($0.prefix(8)) }.count > 5
      }
      #expect(board.connections.session.currentAddress == 1 - lost)
      try await old.start()
    }
    await board.quit()
    for server in servers { await server.stop() }
  }

  @Test("locks prices without any server, names each address, and is live again with the first server that is back")
  func allLost() async throws {
    let servers = [LoopbackServer(seed: 10), LoopbackServer(seed: 20)]
    try await servers[1].start()
    let board = try LoopbackBoard(
      servers.map(\.url).joined(separator: ","), size: Size(rows: 24, columns: 300))
    await board.screen.waitUntil { $0.contains("● live") && $0.contains("127.0.0.1:\(servers[1].port)") }
    await servers[1].stop()
    await board.screen.waitUntil { text in
      text.contains("attempt") && text.contains("?") && servers.allSatisfy { text.contains($0.url) }
    }
    try await servers[0].start()
    board.input.press(.character("r"))
    let names = try await servers[0].matches(of: board.channels[0].topic).map(\.labels.home)
    await board.screen.waitUntil { text in
      text.contains("● live") && text.contains("127.0.0.1:\(servers[0].port)")
        && names.filter { text.contains($0.prefix(8)) }.count > 5
    }
    await board.quit()
    await servers[0].stop()
  }

  @Test("polls the REST interface without a stream, and shows that")
  func polling() async throws {
    let server = LoopbackServer()
    try await server.start { $0.limits.sessions = 0 }
    let board = try LoopbackBoard(server.url)
    let names = try await server.matches(of: board.channels[0].topic).map(\.labels.home)
    await board.screen.waitUntil { text in
      text.contains("polling") && names.filter { text.contains($0.prefix(8)) }.count > 5
    }
    await board.quit()
    await server.stop()
  }

  @Test("shows the matches of the last run as cached while the server is stopped")
  func cache() async throws {
    let directory = TemporaryDirectory()
    let server = LoopbackServer()
    try await server.start()
    let before = try LoopbackBoard(server.url, cacheIn: directory.path)
    let first = await before.screen.waitUntil { $0.contains("● live") && $0.contains("1.") }
    await before.quit()
    await server.stop()
    let after = try LoopbackBoard(server.url, cacheIn: directory.path)
    let names = first.split(separator: "\n").dropFirst(2).prefix(10).map { $0.dropFirst(15).prefix(8) }
    await after.screen.waitUntil { text in
      text.contains("cached") && text.contains("?") && names.filter { text.contains($0) }.count > 5
    }
    await after.quit()
  }

  @Test("subscribes to a topic for an open match, and unsubscribes when the match or the channel is closed")
  func match() async throws {
    let server = LoopbackServer()
    try await server.start()
    let board = try LoopbackBoard(server.url, size: Size(rows: 40, columns: 140))
    await board.screen.waitUntil { $0.contains("● live") && $0.contains("1.") }
    let channel: Set<Topic> = [board.channels[0].topic]
    #expect(await board.connections.service.topics == channel)
    board.input.press(.enter)
    await board.screen.waitUntil { $0.contains("│ Total") && $0.contains("│   Over") && !$0.contains("Loading") }
    let opened = await board.connections.service.topics.subtracting(channel)
    board.input.press(.character("]"))
    while case let topics = await board.connections.service.topics, topics.count != 2 || topics.isSuperset(of: opened),
      !Task.isCancelled
    {
      await Task.yield()
    }
    #expect(opened.count == 1 && opened.first?.path.hasSuffix("/match-odds") == true, "\(opened)")
    board.input.press(.escape)
    await board.screen.waitUntil { !$0.contains("│") }
    #expect(await board.connections.service.topics == channel)
    board.input.press(.enter)
    await board.screen.waitUntil { $0.contains("│   Over") && !$0.contains("Loading") }
    board.input.press(.character("3"))
    await board.screen.waitUntil { !$0.contains("│") && $0.contains(" - ") }
    #expect(await board.connections.service.topics == [board.channels[2].topic])
    board.input.press(.enter)
    await board.screen.waitUntil { $0.contains("│   Over") && !$0.contains("Loading") }
    await board.quit()
    #expect(await board.connections.service.topics == [])
    await server.stop()
  }

  @Test("shows that the server refuses the token, and tries again when r is pressed")
  func refused() async throws {
    let server = LoopbackServer()
    try await server.start { $0.token = AccessToken("right") }
    let board = try LoopbackBoard(server.url, token: "s3cr3t")
    let text = await board.screen.waitUntil { $0.contains("failed") && $0.contains("token") }
    #expect(!text.contains("s3cr3t"))
    let tried = server.refusals
    board.input.press(.character("r"))
    while !Task.isCancelled, server.refusals <= tried { await Task.yield() }
    #expect(server.refusals > tried)
    await board.quit()
    await server.stop()
  }
}
