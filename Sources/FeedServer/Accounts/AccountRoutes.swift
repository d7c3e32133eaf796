import AccountModel
import Algorithms
import FeedSimulator
import HTTPTypes
import Hummingbird
import NIOCore

/// The HTTP routes of the account service (AccountStream.md, REST.md).
struct AccountRoutes {
  let authenticator: Authenticator
  let limits: ServerLimits
  let metrics: ServerMetrics

  func add(to router: Router<FeedContext>) {
    router.post(RouterPath(AccountPath.login)) { request, context in
      guard let body = try await body(of: request) else { return tooLong }
      guard isJSON(request) else { return notJSON }
      return Response(
        try await authenticator.logIn(
          body, from: request.headers[ClientNetwork.fieldName] ?? "", until: context.channel.closeFuture))
    }
    router.post(RouterPath(AccountPath.renew)) { request, _ in
      try await answer(request) { session in Response(try await authenticator.renew(session)) }
    }
    router.post(RouterPath(AccountPath.logout)) { request, _ in
      try await answer(request) { session in
        try await authenticator.hub.logOut(session.id)
        return Response(.done)
      }
    }
    router.get(RouterPath(AccountPath.wallet(of: ":player"))) { request, context in
      try await answer(request) { session in
        guard context.parameters.get("player") == session.playerID,
          let wallet = try await authenticator.hub.wallet(of: session.playerID)
        else { return refuse(.notYours) }
        return Response(.wallet(wallet, of: session.playerID))
      }
    }
    router.get(RouterPath(AccountPath.updates(of: ":player"))) { request, context in
      try await answer(request) { session in
        guard context.parameters.get("player") == session.playerID else { return refuse(.notYours) }
        return await stream(of: session, request, context)
      }
    }
  }

  /// Answers a request with the session of its token, or refuses it.
  private func answer(
    _ request: Request, _ body: (PlayerSession) async throws -> Response
  ) async throws -> Response {
    switch authenticator.session(shownBy: request.headers[.authorization]) {
    case .open(let session):
      do { return try await body(session) } catch is AccountServiceError { return unavailable }
    case .over: return refuse(.sessionOver)
    case .unknown: return unavailable
    }
  }

  private var unavailable: Response {
    metrics.refused(.book)
    return Response(.unavailable)
  }

  private func refuse(_ answer: AccountAnswer) -> Response {
    metrics.refused(.token)
    return Response(answer)
  }

  /// Returns the body of a request, or nil if it is longer than `limits.bodySize`.
  private func body(of request: Request) async throws -> [UInt8]? {
    if let count = request.headers[.contentLength].flatMap(Int.init), count > limits.bodySize { return nil }
    do {
      return Array(try await request.body.collect(upTo: limits.bodySize).readableBytesView)
    } catch is NIOTooManyBytesError { return nil }
  }

  /// Returns true if the body of a request is declared as JSON. A web page of another origin cannot send such a request
  /// without asking first.
  private func isJSON(_ request: Request) -> Bool {
    let type = request.headers[.contentType]?.prefix { $0 != ";" } ?? ""
    return type.trimming(while: \.isWhitespace).lowercased() == "application/json"
  }

  private var notJSON: Response {
    metrics.refused(.request)
    return .error(
      "the login is not declared as JSON", remedy: "send 'Content-Type: application/json'",
      status: .unsupportedMediaType)
  }

  private var tooLong: Response {
    metrics.refused(.request)
    var response = Response.error(
      "the request body exceeds '\(limits.bodySize)' bytes", remedy: "send a smaller one", status: .contentTooLarge)
    // The rest of the body is not read, so the connection cannot be reused.
    response.headers[.connection] = "close"
    return response
  }

  private func stream(of session: PlayerSession, _ request: Request, _ context: FeedContext) async -> Response {
    let queue: EventStreamQueue
    do throws(AccountHub.Refusal) {
      let last = request.headers[.lastEventID].flatMap { UInt64($0) }
      let channel = context.channel
      // A client that does not read fast enough would not read a reason either: close at once.
      queue = try await authenticator.hub.open(session.id, after: last) { channel.close(promise: nil) }
    } catch {
      switch error {
      case .noSession: return refuse(.sessionOver)
      case .unavailable: return unavailable
      case .tooMany:
        metrics.refused(.sessions)
        return Response(
          .refusal(
            503, "too many streams are open, or the server is shutting down",
            remedy: "try again later", retryAfter: 5))
      }
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
      body: ResponseBody { writer in
        try await request.body.consumeWithInboundCloseHandler { _ in
          while let bytes = try await queue.read() { try await writer.write(ByteBuffer(bytes: bytes)) }
          try await writer.finish(nil)
        } onInboundClosed: {
          queue.close()
        }
      })
  }
}

extension HTTPField.Name {
  fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}

extension Response {
  init(_ answer: AccountAnswer) {
    var headers: HTTPFields = [.cacheControl: "no-store"]
    if !answer.body.isEmpty { headers[.contentType] = "application/json; charset=utf-8" }
    if answer.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
    if let seconds = answer.retryAfter { headers[.retryAfter] = "\(seconds)" }
    self.init(
      status: HTTPResponse.Status(code: answer.status), headers: headers,
      body: answer.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
  }
}
