import EveryMatrix
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import FeedServer

@Suite("TLS", .timeLimit(.minutes(45)))
struct TLSTests {
  /// A certificate for localhost and its key, generated for the tests.
  private static let files = makeFiles()

  private static func makeFiles() -> (certificate: TemporaryFile, key: TemporaryFile)? {
    let (certificate, key) = (TemporaryFile(), TemporaryFile())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
      + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
      + ["-out", certificate.path, "-keyout", key.path]
    process.standardError = nil
    do { try process.run() } catch { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? (certificate, key) : nil
  }

  @Test(
    "with a certificate, the server uses wss and refuses plain text", .enabled(if: files != nil, "needs openssl")
  )
  func secure() async throws {
    let files = try #require(Self.files)
    try await withServer(
      ScriptedFeed(), { $0.tls = .init(certificate: files.certificate.path, key: files.key.path) }
    ) { server in
      #expect(server.url == "wss://127.0.0.1:\(server.port)/v2")
      _ = try await Self.session(to: server.port, trusting: files.certificate)
      let plain = try await RawClient(to: server.port)
      plain.send(SocketClient.handshake())
      let answer = await plain.readToEnd()
      #expect(!answer.contains("101"))
    }
  }

  /// Opens a session.
  private static func session(to port: Int, trusting certificate: TemporaryFile) async throws -> SocketClient {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(certificate.path)
    let context = try NIOSSLContext(configuration: configuration)
    let client = try await SocketClient(
      RawClient(to: port) { try NIOSSLClientHandler(context: context, serverHostname: "localhost") })
    client.send(.hello(realm: "test"))
    #expect(await client.text()?.hasPrefix("[2,") == true)
    return client
  }

  @Test(
    "a stopped server does not wait for a client that does not close TLS", .enabled(if: files != nil, "needs openssl"))
  func cut() async throws {
    let files = try #require(Self.files)
    try await withServer(
      ScriptedFeed(),
      {
        $0.tls = .init(certificate: files.certificate.path, key: files.key.path)
        $0.limits.closeTime = .hours(1)
        $0.endTime = .zero
      }
    ) { server in
      let client = try await Self.session(to: server.port, trusting: files.certificate)
      try await client.raw.channel.setOption(.autoRead, value: false).get()
      await server.stop()
    }
  }

  struct Offer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var version = TLSVersion.tlsv12
    var cipher: NIOTLSCipher?
    let isAccepted: Bool
  }

  @Test(
    "only TLS 1.2 and 1.3 are accepted, with forward secrecy and AEAD", .enabled(if: files != nil, "needs openssl"),
    arguments: [
      Offer(testDescription: "TLS 1.0", version: .tlsv1, isAccepted: false),
      Offer(testDescription: "TLS 1.1", version: .tlsv11, isAccepted: false),
      Offer(testDescription: "CBC", cipher: .TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, isAccepted: false),
      Offer(testDescription: "GCM", cipher: .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, isAccepted: true),
      Offer(testDescription: "TLS 1.3", version: .tlsv13, isAccepted: true),
    ])
  func versions(_ offer: Offer) async throws {
    let files = try #require(Self.files)
    try await withServer(
      ScriptedFeed(), { $0.tls = .init(certificate: files.certificate.path, key: files.key.path) }
    ) { server in
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.trustRoots = .file(files.certificate.path)
      configuration.minimumTLSVersion = offer.version
      configuration.maximumTLSVersion = offer.version
      if let cipher = offer.cipher { configuration.cipherSuiteValues = [cipher] }
      let context = try NIOSSLContext(configuration: configuration)
      let client = try await RawClient(to: server.port) {
        try NIOSSLClientHandler(context: context, serverHostname: "localhost")
      }
      client.send(SocketClient.handshake())
      let answer = await client.read(through: "\r\n\r\n")
      #expect((answer != nil) == offer.isAccepted)
    }
  }

  @Test("an incomplete TLS handshake ends after the timeout", .enabled(if: files != nil, "needs openssl"))
  func half() async throws {
    let files = try #require(Self.files)
    try await withServer(
      ScriptedFeed(),
      {
        $0.tls = .init(certificate: files.certificate.path, key: files.key.path)
        ($0.limits.requestTime, $0.limits.closeTime) = (.milliseconds(20), .milliseconds(20))
      }
    ) { server in
      let client = try await RawClient(to: server.port)
      client.send([0x16, 0x03, 0x01, 0x02])
      _ = await client.readToEnd()
    }
  }

  @Test("an error names the file of an unusable certificate or key")
  func useless() async throws {
    let file = TemporaryFile("nothing")
    var options = ServerOptions.withLongTimeouts
    options.tls = .init(certificate: file.path, key: file.path)
    let failure = await #expect(throws: ServerError.self) {
      try await RunningServer.start(options, playing: ScriptedFeed.Feed(script: ScriptedFeed()), logger: noOpLogger)
    }
    #expect("\(failure!)".hasPrefix("cannot use the certificate '\(file.path)': use a PEM file with its chain"))
  }

  @Test(
    "an error names a certificate and a key that do not belong together", .enabled(if: files != nil, "needs openssl"))
  func mismatch() async throws {
    let (files, others) = (try #require(Self.files), try #require(Self.makeFiles()))
    var options = ServerOptions.withLongTimeouts
    options.tls = .init(certificate: files.certificate.path, key: others.key.path)
    let failure = await #expect(throws: ServerError.self) {
      try await RunningServer.start(options, playing: ScriptedFeed.Feed(script: ScriptedFeed()), logger: noOpLogger)
    }
    let (certificate, key) = (files.certificate.path, others.key.path)
    #expect("\(failure!)".hasPrefix("cannot use the certificate '\(certificate)' with the key '\(key)': use a "))
  }
}
