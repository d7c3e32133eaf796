import OddsModel
import Testing

@testable import FeedNetwork

@Suite("Webhook addresses", .timeLimit(.minutes(45)))
struct WebhookTests {
  @Test(
    "HTTPS addresses, and HTTP addresses on loopback, are accepted",
    arguments: [
      ("https://hooks.example.com/a/b?c=d", "https://hooks.example.com/a/b?c=d"),
      ("HTTPS://Hooks.Example.com", "https://hooks.example.com/"), ("https://h:8443?x", "https://h:8443/?x"),
      ("http://localhost:9/x", "http://localhost:9/x"), ("http://[::1]:9/", "http://[::1]:9/"),
      ("http://127.0.0.1:80/v2", "http://127.0.0.1/v2"),
    ])
  func good(text: String, result: String) throws {
    #expect("\(try WebhookAddress(text))" == result)
    #expect(!(try WebhookAddress(text)).site.contains("?"))
  }

  @Test(
    "Other addresses are refused with a remedy, without showing a password",
    arguments: [
      "hooks.example.com", "wss://h/v2", "ftp://h", "https://", "https://u:secret@h/", "https://h:99999/", "http://h/",
      "http://localhost.evil.example/", "http://127.evil.example/", "https://h/#x", "https://h/ü", "https://h/a b", "",
    ])
  func bad(text: String) throws {
    let problem = try #require(throws: FeedError.self) { try WebhookAddress(text) }
    #expect(problem.remedy.contains("https://HOST/PATH"))
    #expect(!problem.description.contains("secret"))
  }

  @Test(
    "A request checks the certificate of the server",
    arguments: [("good", "localhost"), ("elsewhere", "localhost"), ("expired", "localhost")])
  func certificates(certificate: String, host: String) async throws {
    try await PeerServer.run(certificate: certificate) { peer in
      if try await peer.request().isEmpty { return }
      try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      try await peer.end()
    } with: { server in
      let client = try WebhookClient(
        WebhookAddress("https://\(host):\(server.port)/x"), agent: "test", caFile: Fixture.path("ca.pem"))
      let result: Result<WebhookAnswer, ConnectionError>
      do throws(ConnectionError) { result = .success(try await client.post([0x7B, 0x7D])) } catch {
        result = .failure(error)
      }
      switch result {
      case .success(let answer): #expect(certificate == "good" && answer.status == 200 && answer.text == "ok")
      case .failure(let error): #expect(certificate != "good" && error.kind == .untrusted)
      }
      await client.shutDown()
    }
  }
}
