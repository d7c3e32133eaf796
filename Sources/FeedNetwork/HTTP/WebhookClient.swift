import Localization
import NIOCore
import NIOHTTP1
import NIOPosix
package import OddsModel
import Platform

/// The address of a web service that receives requests: `https://HOST/PATH`, or `http://` on this machine.
package struct WebhookAddress: Hashable, Sendable, CustomStringConvertible {
  let address: FeedAddress

  /// Parses a URL.
  ///
  /// - Throws: A `FeedError` that names the value and the remedy, also for a URL without encryption to another machine.
  package init(_ text: String) throws(FeedError) {
    let shown = FeedAddress.withoutUser(text).printable()
    let problem = FeedError(.addressWebhook, shown, remedy: .remedyWebhookAddress)
    guard let (scheme, rest) = text.firstSplit(at: "://"), ["http", "https"].contains(scheme.lowercased()) else {
      throw problem
    }
    // NB: A feed's address has a default path.
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let target = rest[end...].hasPrefix("/") ? String(rest) : "\(rest[..<end])/\(rest[end...])"
    do throws(FeedError) {
      address = try FeedAddress("\(scheme.lowercased() == "http" ? "ws" : "wss")://\(target)")
    } catch { throw problem }
    guard address.isSecure || address.isLoopback else {
      throw FeedError(.addressWebhookUnencrypted, shown, remedy: .remedyWebhookAddress)
    }
  }

  package var description: String { "\(address.restBase)\(address.path.dropFirst())" }

  /// The URL without path and query, which are often secrets: `https://HOST/`.
  package var site: String { address.restBase }
}

/// The answer of a web service.
package struct WebhookAnswer: Hashable, Sendable {
  package let status: Int
  /// The status with its reason, for a message: "500 Internal Server Error".
  package let statusText: String
  /// The scheme and host of the address that a redirect names, or `/` for an address without them; nil for an answer
  /// that is no redirect or names none. The client never follows a redirect.
  package let redirect: String?
  /// The time after which the service accepts another request, in seconds; nil if it does not say so.
  package let retryAfter: Int?
  /// At most 200 characters from the beginning of the body, without control characters and the path and query of the
  /// request.
  package let text: String
}

/// Posts JSON to one URL, each request on a connection of its own.
package final class WebhookClient: Sendable {
  /// The maximum size of the body of an answer, in bytes.
  private static let bodyBytes = 64 << 10

  private let dialer: FeedDialer
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Starts the thread. Sends nothing yet.
  ///
  /// - Parameters:
  ///   - agent: The User-Agent of all requests.
  ///   - caFile: The path of a PEM file with additional root certificates.
  ///   - proxies: The rules that select the proxy.
  ///   - timeout: The time allowed for one request and its answer.
  /// - Throws: A `FeedError` if the file or the proxy settings are invalid.
  package init(
    _ webhook: WebhookAddress, agent: String, caFile: String? = nil, proxies: ProxyRules = ProxyRules(),
    timeout: Duration = .seconds(10)
  ) throws(FeedError) {
    var limits = NetworkLimits()
    limits.request = .nanoseconds(Int64(timeout / .nanoseconds(1)))
    limits.bodyBytes = Self.bodyBytes
    let endpoint = try FeedEndpoint(address: webhook.address, caFile: caFile, proxies: proxies)
    dialer = try FeedDialer(endpoint, agent: agent, limits: limits, group: group)
  }

  /// Posts a JSON text. Returns the answer, whatever its status.
  ///
  /// - Throws: A `ConnectionError` if there is no answer, or the task is cancelled.
  package func post(_ json: [UInt8]) async throws(ConnectionError) -> WebhookAnswer {
    let address = dialer.endpoint.address
    let headers = HTTPHeaders([
      ("Host", address.authority), ("User-Agent", dialer.agent), ("Content-Type", "application/json"),
      ("Content-Length", "\(json.count)"), ("Connection", "close"),
    ])
    let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: address.path, headers: headers)
    let words = ErrorMessages(address: address, part: LocalizedMessage(.quotedWords, address.restBase))
    let answer = try await dialer.ask(head, body: ByteBuffer(bytes: json), words: words)
    let status = answer.head.status
    return WebhookAnswer(
      status: Int(status.code), statusText: "\(status.code) \(status.reasonPhrase.printable(60))",
      redirect: Self.redirect(answer.head), retryAfter: answer.head.headers.retryAfter,
      text: Self.text(of: answer.body, hiding: address.path))
  }

  /// Returns the beginning of a body without the path and the query of the request, which can be secrets and are often
  /// in an error page. They are also left out as JSON and HTML can escape them.
  private static func text(of body: [UInt8], hiding target: String) -> String {
    // NB: All of the body, because a cut through a secret would leave its beginning.
    var text = String(decoding: body, as: UTF8.self)
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    // The longer one first, because it can contain the other one.
    for part in parts.sorted(by: { $0.count > $1.count }) where part != "/" {
      let rest = part.hasPrefix("/") ? "/…" : "…"
      text = text.replacing(part, with: rest)
      for (character, escape) in [("/", #"\/"#), ("&", #"\u0026"#), ("&", "&amp;")] {
        text = text.replacing(part.replacing(character, with: escape), with: rest)
      }
    }
    return text.printable(200)
  }

  /// Returns the scheme and host of a redirect's target, without its path, which can be a secret; `/` for a target
  /// without a scheme.
  private static func redirect(_ head: HTTPResponseHead) -> String? {
    guard 300..<400 ~= head.status.code, let place = head.headers.first(name: "Location") else { return nil }
    guard let (scheme, rest) = place.firstSplit(at: "://") else { return "/" }
    let authority = rest.prefix { !"/?#".contains($0) }
    return "\(scheme)://\(authority.split(separator: "@").last ?? "")/".printable()
  }

  /// Closes all open connections and ends the thread. Do not use the client afterwards.
  package func shutDown() async {
    // NB: Fails only if the group is already shut down.
    try? await group.shutdownGracefully()
  }
}
