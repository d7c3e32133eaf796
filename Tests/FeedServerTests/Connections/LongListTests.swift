import NIOCore
import TestSupport
import Testing

@testable import FeedServer

@Suite("Long lists", .timeLimit(.minutes(45)))
struct LongListTests {
  private let path = "/api/matches?topic=\(ScriptedFeed.topic)"
  private let dump: String
  /// The list of the dump.
  private let list: [UInt8]

  init() {
    let name = String(repeating: "a", count: 2500) + " - " + String(repeating: "b", count: 2500)
    dump = FeedText.dump((1...120).map { FeedText.football(100 * $0, name) }.joined(separator: ","))
    list = Array(RESTSnapshot(dump: ByteBuffer(string: dump)).matches.readableBytesView)
  }

  @Test("the lists that clients of an address do not read are limited as dumps are; further ones get 503")
  func unread() async throws {
    let count = list.count
    #expect(count > 3 << 16)
    try await withServer(
      ScriptedFeed(dump: dump),
      {
        ($0.limits.socketBuffer, $0.limits.pendingBytes) = (4096, 4096)
        $0.limits.unsentBytesOfAddress = 3 * count
        // A slow machine does not use up the processor time of the address.
        $0.limits.workBurst = .hours(1)
      }
    ) { server in
      var clients: [RawClient] = []
      for number in 1...20 {
        let client = try await RawClient(to: server.port, reads: false)
        client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        clients.append(client)
        let expected = (bytes: min(number, 3) * count, refused: max(0, number - 3))
        while !Task.isCancelled, server.hub.unsent.total < expected.bytes { await Task.yield() }
        while !Task.isCancelled, server.metrics.total("refused_total") < expected.refused { await Task.yield() }
        #expect(server.hub.unsent.total == expected.bytes)
      }
      let refused = try await HTTPResponse(server.port, path)
      #expect(refused.status == 503 && refused["retry-after"] == "1" && refused.text.contains("remedy"))
      #expect(clients.count == 20)
      // Their connections end.
      clients = []
      while !Task.isCancelled, server.hub.unsent.total > 0 { await Task.yield() }
      let answer = try await HTTPResponse(server.port, path)
      #expect(answer.status == 200 && answer.body == list)
      while !Task.isCancelled, server.hub.unsent.total > 0 { await Task.yield() }
    }
  }

  @Test("a long list costs its address processor time, also if it was made for another request")
  func charged() async throws {
    // Two lists cost more than an address has.
    let cost = 30 * Int64(list.count)
    try await withServer(
      ScriptedFeed(dump: dump),
      {
        $0.limits.workBurst = .nanoseconds(cost)
        $0.limits.workShare = 1e-6
      }
    ) { server in
      // The list is made for an address with processor time.
      let page: Result<RESTSnapshot, TopicError> = try await completionValue {
        server.hub.page(of: ScriptedFeed.topic, from: "1", completion: $0)
      }
      #expect(try page.get().matches.readableBytes == list.count)
      let first = try await HTTPResponse(server.port, path)
      #expect(first.status == 200)
      #expect(server.hub.work.isSpent("127.0.0.1", now: .now()) == false)
      let second = try await HTTPResponse(server.port, path)
      #expect(second.status == 200)
      #expect(server.hub.work.isSpent("127.0.0.1", now: .now()))
      let third = try await HTTPResponse(server.port, path)
      #expect(third.status == 503)
    }
  }

  @Test("with gzip, a long list is sent in chunks and is complete")
  func gzip() async throws {
    try await withServer(ScriptedFeed(dump: dump)) { server in
      let client = try await RawClient(to: server.port)
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
      let head = (await client.read(through: "\r\n\r\n") ?? "").lowercased()
      #expect(head.contains("content-encoding: gzip\r\n") && head.contains("transfer-encoding: chunked\r\n"), "\(head)")
      #expect(!head.contains("content-length"), "\(head)")
      var body: [UInt8] = []
      while let line = await client.read(through: "\r\n"), let size = Int(line.dropLast(), radix: 16) {
        body += try #require(await client.read(size))
        _ = await client.read(2)
        if size == 0 { break }
      }
      #expect(body.starts(with: [0x1F, 0x8B]) && body.count * 2 < list.count)
      // The format ends with the number of bytes before compression.
      let length = body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(length == list.count)
    }
  }

  @Test("a client of HTTP/1.0 gets a long list with its length and without compression")
  func old() async throws {
    try await withServer(ScriptedFeed(dump: dump)) { server in
      let client = try await RawClient(to: server.port)
      client.send("GET \(path) HTTP/1.0\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
      let head = (await client.read(through: "\r\n\r\n") ?? "").lowercased()
      #expect(head.contains("content-length: \(list.count)\r\n") && !head.contains("encoding: "), "\(head)")
      #expect(await client.read(list.count) == list)
    }
  }
}
