import NIOCore
import NIOHTTP1
import NIOSSL
import Platform
import TestSupport

/// A complete HTTP request to the fake Betfair.
struct FakeHTTPRequest {
  let method: HTTPMethod
  let path: String
  let headers: HTTPHeaders
  let body: [UInt8]
  /// True if the client has shown the certificate of the account.
  let hasCertificate: Bool
  /// True at the port of the login with a certificate.
  let isForCertificates: Bool

  /// The fields of the body; nil if the body is not a valid form.
  var form: [String: String]? {
    guard headers.first(name: "Content-Type")?.hasPrefix("application/x-www-form-urlencoded") == true else {
      return nil
    }
    var fields: [String: String] = [:]
    for field in String(decoding: body, as: UTF8.self).split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = String(parts[1].map { $0 == "+" ? " " : $0 }).percentDecoded else {
        return nil
      }
      fields[String(parts[0])] = value
    }
    return fields
  }
}

struct FakeHTTPAnswer {
  var status = HTTPResponseStatus.ok
  var type = "application/json"
  var body: [UInt8]

  init(_ tree: JSONTree, status: HTTPResponseStatus = .ok) {
    body = tree.bytes
    self.status = status
  }

  /// A page in place of an answer: what the services send to a client that does not accept JSON.
  static var page: FakeHTTPAnswer {
    var answer = FakeHTTPAnswer(.null)
    answer.type = "text/html"
    answer.body = Array("<html><body>Betfair</body></html>".utf8)
    return answer
  }

  /// The answer to a path that is not served.
  static var notFound: FakeHTTPAnswer {
    var answer = page
    answer.status = .notFound
    return answer
  }
}

// MARK: The identity service

extension FakeBetfair {
  func answer(_ request: FakeHTTPRequest) -> FakeHTTPAnswer {
    let status = state.withLock { $0.status }
    guard status == .ok else {
      var answer = FakeHTTPAnswer.page
      answer.status = status
      return answer
    }
    let isPost = request.method == .POST
    switch request.path {
    case "/api/certlogin" where isPost && request.isForCertificates:
      return identity(request) { logInWithCertificate(request) }
    case _ where request.isForCertificates: return .notFound
    case "/api/login" where isPost: return identity(request) { logInInteractively(request) }
    case "/api/keepAlive": return identity(request) { renew(request, ends: false) }
    case "/api/logout": return identity(request) { renew(request, ends: true) }
    case "/exchange/betting/rest/v1.0/listMarketCatalogue/" where isPost: return catalogue(request, isRPC: false)
    case "/exchange/betting/json-rpc/v1" where isPost: return catalogue(request, isRPC: true)
    default: return .notFound
    }
  }

  private func identity(_ request: FakeHTTPRequest, _ answer: () -> JSONTree) -> FakeHTTPAnswer {
    state.withLock { $0.calls.append((request.path, .null)) }
    // NB: The certificate login answers with JSON always.
    let accepts = request.headers[canonicalForm: "Accept"].contains("application/json")
    return accepts || request.path == "/api/certlogin" ? FakeHTTPAnswer(answer()) : .page
  }

  /// Returns the error of a login; nil if user and password are right.
  private func loginError(_ request: FakeHTTPRequest) -> String? {
    state.withLock { state in
      if !state.loginErrors.isEmpty { return state.loginErrors.removeFirst() }
      guard request.headers.first(name: "X-Application")?.isEmpty == false, let form = request.form,
        let user = form["username"], let password = form["password"]
      else { return "INPUT_VALIDATION_ERROR" }
      return state.passwords[user] == password ? nil : "INVALID_USERNAME_OR_PASSWORD"
    }
  }

  private func logInInteractively(_ request: FakeHTTPRequest) -> JSONTree {
    let product = JSONTree.text(request.headers.first(name: "X-Application") ?? "")
    if let error = loginError(request) {
      return ["token": "", "product": product, "status": "FAIL", "error": .text(error)]
    }
    let token = logIn(request.form!["username"]!)
    return ["token": .text(token), "product": product, "status": "SUCCESS", "error": ""]
  }

  private func logInWithCertificate(_ request: FakeHTTPRequest) -> JSONTree {
    guard request.hasCertificate else { return ["loginStatus": "CERT_AUTH_REQUIRED"] }
    if let error = loginError(request) { return ["loginStatus": .text(error)] }
    return ["sessionToken": .text(logIn(request.form!["username"]!)), "loginStatus": "SUCCESS"]
  }

  private func renew(_ request: FakeHTTPRequest, ends: Bool) -> JSONTree {
    let token = request.headers.first(name: "X-Authentication") ?? ""
    let product = JSONTree.text(request.headers.first(name: "X-Application") ?? "")
    let isLive = state.withLock { state in
      ends ? state.sessions.removeValue(forKey: token) != nil : state.sessions[token] != nil
    }
    guard isLive else { return ["token": .text(token), "product": product, "status": "FAIL", "error": "NO_SESSION"] }
    return ["token": .text(token), "product": product, "status": "SUCCESS", "error": ""]
  }
}

// MARK: The connection

/// A connection to the fake identity service and betting API: one request at a time, as long as the client keeps it.
final class FakeBetfairHTTPHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let exchange: FakeBetfair
  private let isForCertificates: Bool
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []

  init(exchange: FakeBetfair, isForCertificates: Bool) {
    self.exchange = exchange
    self.isForCertificates = isForCertificates
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
    case .body(let bytes): body += bytes.readableBytesView
    case .end:
      guard let head else { return }
      let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
      let request = FakeHTTPRequest(
        method: head.method, path: head.uri, headers: head.headers, body: body, hasCertificate: certificate != nil,
        isForCertificates: isForCertificates)
      let answer = exchange.answer(request)
      let headers = HTTPHeaders([("Content-Type", answer.type), ("Content-Length", "\(answer.body.count)")])
      context.write(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers))),
        promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
      let channel = context.channel
      let isKept = head.isKeepAlive
      context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in if !isKept { channel.close(promise: nil) } }
    }
  }
}

/// The certificates of the fixtures.
enum FakeCertificates {
  /// Returns a factory of the TLS handler of a client's connection; nil without a context.
  static func handler(_ context: NIOSSLContext?) -> (@Sendable () throws -> any ChannelHandler)? {
    guard let context else { return nil }
    return { try NIOSSLClientHandler(context: context, serverHostname: "localhost") }
  }

  /// Returns the path of a fixture: `ca.pem` of the authority, `client.pem` and `client.key` of the account.
  static func path(_ name: String, beside file: StaticString = #filePath) -> String {
    "\(file)".split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
      + "/FeedNetworkTests/Fixtures/\(name)"
  }

  /// With `asksForClient`, a client that shows a certificate has to show that of the account.
  static func server(asksForClient: Bool) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(path("good.pem")).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: path("good.key"), format: .pem)))
    if asksForClient {
      configuration.certificateVerification = .optionalVerification
      configuration.trustRoots = .file(path("client.pem"))
    }
    return try NIOSSLContext(configuration: configuration)
  }
}
