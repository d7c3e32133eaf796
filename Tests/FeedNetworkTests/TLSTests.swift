import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedNetwork

@Suite("Certificates", .timeLimit(.minutes(45)))
struct TLSTests {
  private static let ca = Fixture.path("ca.pem")

  private static func connectionError(_ certificate: String, host: String = "localhost", caFile: String? = ca)
    async throws
    -> ConnectionError?
  {
    try await TestClient(host: host, isSecure: true, caFile: caFile).connectionError(certificate: certificate) {
      try await $0.accept()
    }
  }

  @Test("A certificate for the host, from the given authority, is accepted", arguments: ["localhost", "127.0.0.1"])
  func good(host: String) async throws {
    let requests = EventRecorder<[String]>()
    try await TestClient(host: host, isSecure: true, token: "abc", caFile: Self.ca).connected(certificate: "good") {
      peer in
      requests.add(try await peer.accept())
      try await peer.send(Peer.text("hello") + Peer.close(1000))
      _ = try await peer.frame()
    } _: { connection in
      #expect(await connection.events().map(\.summary) == ["text hello", "closed(code: Optional(1000))"])
    }
    #expect(requests.elements.first?.contains("Authorization: Bearer abc") == true)
  }

  @Test("A certificate of another authority, host or period is untrusted, with the reason")
  func bad() async throws {
    for (certificate, host, caFile, word) in [
      ("good", "localhost", nil, "authority"), ("unknown", "localhost", Self.ca, "authority"),
      ("expired", "localhost", Self.ca, "expired"), ("elsewhere", "localhost", Self.ca, "not valid for 'localhost'"),
      ("elsewhere", "127.0.0.1", Self.ca, "not valid for '127.0.0.1'"),
    ] {
      let fault = try #require(try await Self.connectionError(certificate, host: host, caFile: caFile))
      #expect(fault.kind == .untrusted && fault.isTerminal)
      #expect(fault.problem.message.contains(word), "\(certificate): \(fault.problem)")
    }
  }

  @Test("A server without TLS is a protocol mismatch; a connection that ends in the handshake is lost")
  func noTLS() async throws {
    let plain = try await TestClient(isSecure: true).connectionError { peer in
      try await peer.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      try await peer.end()
    }
    #expect(plain?.kind == .protocolMismatch && plain?.problem.message.contains("TLS") == true)
    let ended = try await TestClient(isSecure: true).connectionError { _ in }
    #expect(ended?.kind == .lost)
  }

  @Test("A CA file without certificates is refused at once", arguments: ["make.sh", "good.key", "nonexistent.pem"])
  func caFile(name: String) {
    let problem = #expect(throws: FeedError.self) {
      try TestClient(isSecure: true, caFile: Fixture.path(name)).endpoint(1)
    }
    #expect(problem?.message.contains(name) == true)
    #expect(problem?.message.contains("cannot read") == (name == "nonexistent.pem"))
  }
}
