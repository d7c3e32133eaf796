import AccountModel
import EveryMatrix
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore
import OddsModel

/// The HTTP routes of the feed: health, metrics, and the lists of matches and odds.
struct FeedRoutes {
  static let usualTopic = Topic.aggregator(.popular, matches: 100)
  /// The cost of a byte of a list, in bytes of a dump: it can be compressed too.
  private static let listCost = 3

  let hub: FeedHub
  let admission: AccessPolicy
  let metrics: ServerMetrics

  func router() -> Router<FeedContext> {
    let router = Router(context: FeedContext.self, options: .autoGenerateHeadEndpoints)
    router.get("/healthz") { _, _ in Response.text("ok\n") }
    router.get("/readyz") { [metrics, source = hub.source, accounts = admission.accounts] _, _ in
      metrics.noteReadinessRead()
      if metrics.isDraining { return Response.text("draining\n", status: .serviceUnavailable) }
      if let reason = source.unreadiness { return Response.text("\(reason)\n", status: .serviceUnavailable) }
      if accounts?.hub.isAvailable == false { return Response.text("no accounts\n", status: .serviceUnavailable) }
      return Response.text("ready\n")
    }
    router.get("/metrics") { [admission] request, _ in
      Response.refusal(of: request, by: admission) ?? Response.metrics(of: admission.metrics.registry)
    }
    router.get("/api/matches") { request, context in try await list(of: request, context, \.matches) }
    router.get("/api/odds") { request, context in try await list(of: request, context, \.odds) }
    router.get(RouterPath(AccessPolicy.socketPath)) { _, _ in
      Response.text(
        "this connection has served another request and cannot become a WebSocket: open a new one\n",
        status: .badRequest)
    }
    if let accounts = admission.accounts {
      AccountRoutes(authenticator: accounts, limits: admission.limits, metrics: metrics).add(to: router)
    }
    router.refuseOtherMethods()
    return router
  }

  private func list(
    of request: Request, _ context: FeedContext, _ list: any KeyPath<RESTSnapshot, ByteBuffer> & Sendable
  ) async throws -> Response {
    if let refusal = Response.refusal(of: request, by: admission) { return refusal }
    let topic = request.uri.queryParameters.get("topic").map(Topic.init(path:)) ?? Self.usualTopic
    let address = request.headers[ClientNetwork.fieldName] ?? ""
    let result = await withCheckedContinuation { continuation in
      hub.page(of: topic, from: address) { continuation.resume(returning: $0) }
    }
    let page: RESTSnapshot
    switch result {
    case .success(let built): page = built
    case .failure(let error):
      if !error.isPermanent { metrics.refused(.busy) }
      var response = Response.error(
        error.problem(topic), remedy: error.remedy, status: error.isPermanent ? .notFound : .serviceUnavailable)
      switch error {
      case .unknown, .refused, .tooLarge: break
      case .spent(let seconds): response.headers[.retryAfter] = "\(seconds)"
      default: response.headers[.retryAfter] = "1"
      }
      return response
    }
    var headers: HTTPFields = [
      .eTag: page.tag, .cacheControl: "no-cache", .vary: "Accept-Encoding",
      .contentLocation: "\(request.uri.path)?topic=\(topic.path)",
    ]
    headers[.feedVersion] = page.version.map(String.init)
    if request.headers[.ifNoneMatch].map({ page.isNamed(by: $0) }) == true {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = "application/json; charset=utf-8"
    let bytes = page[keyPath: list]
    guard let body = ResponseBody(list: bytes, for: address, hub: hub, channel: context.channel) else {
      metrics.refused(.busy)
      var response = Response.error(
        "too many lists and dumps wait for clients of this address", remedy: "read them, or try again in a moment",
        status: .serviceUnavailable)
      response.headers[.retryAfter] = "1"
      return response
    }
    hub.work.charge(address, TopicWork(), bytes: Self.listCost * bytes.readableBytes, now: .now())
    return Response(status: .ok, headers: headers, body: body)
  }
}

extension RESTSnapshot {
  /// Returns true if an If-None-Match header names this content, by weak comparison as RFC 9110 requires.
  fileprivate func isNamed(by header: String) -> Bool {
    header.split(separator: ",").contains { name in
      let name = name.drop { $0 == " " }.prefix { $0 != " " }
      return name == "*" || name == tag || "W/\(name)" == tag
    }
  }
}

extension HTTPField.Name {
  fileprivate static let feedVersion = HTTPField.Name("X-Feed-Version")!
}

/// A request context that also has the channel of the connection.
struct FeedContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

extension Response {
  /// Returns the refusal of a request whose token is missing or wrong, or cannot be checked now.
  static func refusal(of request: Request, by admission: AccessPolicy) -> Response? {
    switch admission.access(of: request.headers[.authorization]) {
    case .granted: return nil
    case .unknown:
      admission.metrics.refused(.book)
      return Response(.unavailable)
    case .denied:
      admission.metrics.refused(.token)
      var response = Response.error(admission.badToken, remedy: admission.tokenRemedy, status: .unauthorized)
      response.headers[.wwwAuthenticate] = "Bearer"
      return response
    }
  }

  static func metrics(of registry: PrometheusRegistry) -> Response {
    .text(registry.text, type: PrometheusRegistry.contentType)
  }

  static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok
  ) -> Response {
    Response(status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  static func error(_ error: String, remedy: String, status: HTTPResponse.Status) -> Response {
    var json = JSONWriter()
    json.object {
      $0.field("error", error)
      $0.field("remedy", remedy)
    }
    return Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
  }
}
