import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedNetwork

@Suite("Proxies", .timeLimit(.minutes(45)))
struct ProxyTests {
  @Test(
    "no_proxy lists the hosts that are reached without a proxy",
    arguments: [
      ("", false), ("*", true), ("feed.test", true), (".feed.test", true), ("*.test", true), ("test", true),
      ("eed.test", false), ("other.test", false), ("a, FEED.test ,b", true), ("a b test", true),
      ("feed.test:8443", true),
      ("feed.test:443", false), (".test:8443", true), ("feed.test.", false), (",", false),
    ])
  func exempt(rules: String, isExempt: Bool) throws {
    let proxies = ProxyRules(environment: ["https_proxy": "http://proxy.test:3128", "no_proxy": rules])
    #expect(try (proxies.proxy(for: FeedAddress("wss://feed.test:8443")) == nil) == isExempt)
  }

  @Test("IP addresses are exempt only by exact match, and loopback is always exempt")
  func addresses() throws {
    let environment = ["http_proxy": "proxy.test:3128", "no_proxy": "10.0.0.1,[2001:db8::1]:80,2001:db8::2"]
    let proxies = ProxyRules(environment: environment)
    for (host, isExempt) in [
      ("10.0.0.1", true), ("110.0.0.1", false), ("[2001:db8::1]", true), ("[2001:db8::2]", true),
      ("[2001:db8::3]", false),
      ("localhost", true), ("127.0.0.1", true), ("[::1]", true),
    ] { #expect(try (proxies.proxy(for: FeedAddress("ws://\(host)")) == nil) == isExempt, "\(host)") }
  }

  @Test("Lower-case variables take precedence; wss uses https_proxy, ws uses http_proxy")
  func variables() throws {
    let proxies = ProxyRules(
      environment: [
        "HTTPS_PROXY": "http://upper.test", "HTTP_PROXY": "http://plain.test/", "https_proxy": "lower.test:1",
      ])
    #expect(try proxies.proxy(for: FeedAddress("wss://feed.test"))?.name == "lower.test:1")
    #expect(try proxies.proxy(for: FeedAddress("ws://feed.test"))?.name == "plain.test:80")
    #expect(try ProxyRules().proxy(for: FeedAddress("wss://feed.test")) == nil)
    #expect(try ProxyRules(environment: ["https_proxy": ""]).proxy(for: FeedAddress("wss://feed.test")) == nil)
  }

  @Test(
    "An invalid proxy is refused without showing its password",
    arguments: [
      "socks5://u:hush@p.test", "http://", "http://u:hush@", "http://u:hush@p.test:0", "http://u:hush@p.test:x",
      "http://[::1",
    ])
  func none(text: String) throws {
    let proxies = ProxyRules(environment: ["https_proxy": text])
    let problem = #expect(throws: FeedError.self) { try proxies.proxy(for: FeedAddress("wss://feed.test")) }
    #expect(problem?.message.contains("https_proxy") == true && !"\(problem!)".contains("hush"))
  }

  @Test("CONNECT opens a tunnel with user and password, which the feed does not receive")
  func connect() async throws {
    for (user, authorization) in [("", nil), ("al%69ce:p%40ss@", "Proxy-Authorization: Basic YWxpY2U6cEBzcw==")] {
      let requests = EventRecorder<[String]>()
      try await PeerServer.run { peer in
        requests.add(try await peer.request())
        try await peer.send("HTTP/1.1 200 Connection established\r\n\r\n")
        requests.add(try await peer.accept())
        try await peer.send(Peer.text("hello") + Peer.close(1000))
        _ = try await peer.frame()
      } with: { server in
        let proxies = ProxyRules(environment: ["http_proxy": "http://\(user)127.0.0.1:\(server.port)"])
        try await TestClient(host: "feed.test", proxies: proxies).connector(to: 8080) { connector in
          let events = await (try connector.connect()).events()
          #expect(events.map(\.summary) == ["text hello", "closed(code: Optional(1000))"])
        }
      }
      #expect(requests.elements.first?.first == "CONNECT feed.test:8080 HTTP/1.1")
      #expect(requests.elements.first?.first { $0.hasPrefix("Proxy-Auth") } == authorization)
      #expect(requests.elements.last?.first == "GET /v2 HTTP/1.1")
      #expect(requests.elements.last?.contains { $0.hasPrefix("Proxy-Auth") } == false)
    }
  }

  @Test("TLS through a proxy checks the certificate against the feed's host, not the proxy's")
  func tunnel() async throws {
    try await PeerServer.run(certificate: "good") { peer in
      try await peer.accept()
      try await peer.send(Peer.text("hello") + Peer.close(1000))
      _ = try await peer.frame()
    } with: { feed in
      try await TunnelServer.run(to: feed.port) { port in
        let proxies = ProxyRules(environment: ["https_proxy": "http://127.0.0.1:\(port)"])
        let ca = Fixture.path("ca.pem")
        for host in ["feed.test", "192.0.2.1"] {
          try await TestClient(host: host, isSecure: true, caFile: ca, proxies: proxies).connector(to: 443) {
            connector in
            let events = await (try connector.connect()).events()
            #expect(events.first?.summary == "text hello")
          }
        }
        // The certificate is valid for the proxy's own address.
        for host in ["other.test", "192.0.2.2"] {
          try await TestClient(host: host, isSecure: true, caFile: ca, proxies: proxies).connector(to: 443) {
            connector in
            let fault = await #expect(throws: ConnectionError.self) { _ = try await connector.connect() }
            #expect(fault?.kind == .untrusted, "\(host)")
          }
        }
      }
    }
  }

  @Test("A refusal by the proxy is an error that names the proxy")
  func refusals() async throws {
    for (answer, kind) in [
      ("407 Proxy Authentication Required", ConnectionError.Kind.unauthorized), ("502 Bad Gateway", .unreachable),
    ] {
      try await PeerServer.run { peer in
        _ = try await peer.request()
        try await peer.send("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n")
        try await peer.end()
      } with: { server in
        let proxies = ProxyRules(environment: ["http_proxy": "http://127.0.0.1:\(server.port)"])
        try await TestClient(host: "feed.test", proxies: proxies).connector(to: 80) { connector in
          let fault = await #expect(throws: ConnectionError.self) { _ = try await connector.connect() }
          #expect(fault?.kind == kind && fault?.problem.message.contains("127.0.0.1:\(server.port)") == true)
        }
      }
    }
  }
}
