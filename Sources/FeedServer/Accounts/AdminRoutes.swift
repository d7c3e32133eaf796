import AccountModel
import FeedSimulator
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore
import OddsModel

/// The routes of the admin interface: the metrics, and for tests and demonstrations, routes that end sessions and post
/// amounts.
struct AdminRoutes {
  let hub: any AccountService
  let admission: AccessPolicy

  func router() -> Router<BasicRequestContext> {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.add(middleware: RejectBrowsers())
    router.get("/metrics") { [admission] _, _ in Response.metrics(of: admission.metrics.registry) }
    router.get("/sessions") { _, _ in sessions }
    for (name, cause) in [("expire", SessionEnd.Cause.expired), ("kick", .kicked), ("terminate", .terminated)] {
      router.post("/sessions/:user/\(name)") { _, context in
        let user = context.parameters.get("user") ?? ""
        do throws(AccountServiceError) {
          let count = try await hub.endAll(of: user, cause)
          return count > 0 ? Response.json { $0.field("ended", Int64(count)) } : unknown(user)
        } catch { return Response(.unavailable) }
      }
    }
    router.post("/accounts/:user/post") { request, context in
      await post(
        context.parameters.get("user") ?? "", request.uri.queryParameters["amount"].map(String.init) ?? "",
        key: request.headers[.idempotencyKey])
    }
    router.refuseOtherMethods()
    return router
  }

  private var sessions: Response {
    var json = JSONWriter()
    json.openArray()
    for session in hub.sessions {
      json.object { json in
        json.field("user", session.user)
        json.field("userId", session.playerID)
        json.field("sessionId", session.id)
        json.field("loginTime", ISOTime.text(session.loginTime))
        json.field("expiresAt", ISOTime.text(session.expiresAt))
      }
    }
    json.closeArray()
    return Response.json(json.bytes)
  }

  private func unknown(_ user: String) -> Response {
    .error("user '\(user)' has no open session", remedy: "list the open sessions with GET /sessions", status: .notFound)
  }

  private func post(_ user: String, _ amount: String, key: String?) async -> Response {
    if let key, !(1...64 ~= key.utf8.count && key.utf8.allSatisfy { 0x21...0x7E ~= $0 }) {
      return .error(
        "Idempotency-Key '\(key.excerpt)' is not valid", remedy: "use 1 to 64 ASCII characters without spaces",
        status: .badRequest)
    }
    guard let hundredths = Self.hundredths(amount), hundredths != 0 else {
      return .error(
        "amount '\(amount)' is not valid", remedy: "use ?amount=12.50, or a negative amount, up to 1000000",
        status: .badRequest)
    }
    let posted: AccountHub.Posted
    do throws(AccountServiceError) { posted = try await hub.post(hundredths, to: user, key: key) } catch {
      return Response(.unavailable)
    }
    switch posted {
    case .posted(let wallet): return Response.json { wallet.write(to: &$0) }
    case .unknown:
      return .error("user '\(user)' does not exist", remedy: "use a user who can log in", status: .notFound)
    case .tooMuch:
      return .error("amount '\(amount)' exceeds the balance", remedy: "use a smaller one", status: .conflict)
    case .differs:
      return .error(
        "Idempotency-Key '\(key ?? "")' was used for another amount", remedy: "use a new key for each posting",
        status: .unprocessableContent)
    }
  }

  /// Returns an amount in hundredths, or nil if the text is not a number from -1000000 to 1000000 with at most two
  /// decimals.
  static func hundredths(_ text: String) -> Int64? {
    let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let units = Int64(whole), units <= AccountHub.maxPosting / 100
    else { return nil }
    let decimals = parts.count > 1 ? parts[1] : "0"
    guard 1...2 ~= decimals.count, let rest = Int64(decimals) else { return nil }
    let value = units * 100 + (decimals.count == 1 ? rest * 10 : rest)
    guard value <= AccountHub.maxPosting else { return nil }
    return text.first == "-" ? -value : value
  }
}

/// Rejects requests from web pages: those with an Origin or Sec-Fetch-Site header, and those whose Host header does not
/// name this machine, as with DNS rebinding.
private struct RejectBrowsers: RouterMiddleware {
  func handle(
    _ request: Request, context: BasicRequestContext,
    next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority ?? ""
    let isHere = LoopbackAddress.isAuthority(host)
    let isPage = request.headers[.origin] != nil || request.headers[.fetchSite] != nil
    guard isHere, !isPage else {
      return .error(
        isHere ? "requests from web pages are not allowed" : "host '\(host)' is not served",
        remedy: "use curl with the address that the server prints", status: .forbidden)
    }
    return try await next(request, context)
  }
}

extension LoopbackAddress {
  /// Returns true if a Host header names this machine: a loopback address or name, an IPv6 address in brackets, and a
  /// port or none.
  static func isAuthority(_ text: String) -> Bool {
    let isBracketed = text.first == "["
    guard let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex else {
      return false
    }
    let host = isBracketed ? text[..<end].dropFirst() : text[..<end]
    let port = isBracketed ? text[end...].dropFirst() : text[end...]
    guard let address = address(host), address.contains(":") == isBracketed else { return false }
    guard port.first == ":" else { return port.isEmpty }
    return 2...6 ~= port.utf8.count && port.utf8.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
      && UInt16(port.dropFirst()) != nil
  }
}

extension HTTPField.Name {
  fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!
  fileprivate static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

extension Response {
  fileprivate static func json(_ fields: (inout JSONWriter) -> Void) -> Response {
    var json = JSONWriter()
    json.object { fields(&$0) }
    return .json(json.bytes)
  }

  fileprivate static func json(_ bytes: [UInt8]) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
