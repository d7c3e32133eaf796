import AsyncHTTPClient
public import FeedClient
import Locking
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
package import OddsFeed

/// A feed's REST interface (FEED.md §8).
public final class RestClient: FeedAPI {
  /// What was answered last for a request, to be asked whether it still holds.
  private struct Known {
    var tag: String
    var body: [UInt8]?
  }

  private let endpoint: FeedEndpoint
  private let agent: String
  private let limits: NetworkLimits
  private let client: HTTPClient
  /// By target. A handful: one channel at a time is shown.
  private let known = Locked<[String: Known]>([:])
  private static let mostKnown = 16

  init(
    _ endpoint: FeedEndpoint, agent: String, proxy: ProxyRules.Proxy?, group: any EventLoopGroup,
    limits: NetworkLimits = NetworkLimits()
  ) {
    self.endpoint = endpoint
    self.agent = agent
    self.limits = limits
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: endpoint.tls, redirectConfiguration: .disallow,
      timeout: .init(connect: .init(limits.request), read: .init(limits.request)),
      decompression: .enabled(limit: .size(limits.bodyBytes)))
    configuration.httpVersion = .http1Only
    configuration.proxy = proxy.map { .server(host: $0.host, port: $0.port, authorization: $0.authorization) }
    client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
  }

  func shutDown() async {
    // NB: it fails only where it was done before.
    try? await client.shutdown()
  }

  package func snapshot(of topic: Topic) async throws(FeedProblem) -> APISnapshot? {
    let lists: (matches: [UInt8]?, odds: [UInt8]?)
    do {
      async let matches = list("matches", of: topic)
      async let odds = list("odds", of: topic)
      lists = try await (matches, odds)
    } catch let problem as FeedProblem {
      throw problem
    } catch { throw self.problem(error, address(of: "")) }
    guard let matches = lists.matches, let odds = lists.odds else { return nil }
    do {
      return APISnapshot(
        matches: try APIList<APIMatch>(json: matches), odds: try APIList<APIOdds>(json: odds))
    } catch {
      throw FeedProblem(
        "the feed's REST interface '\(endpoint.address.restBase)' sends what is no list of matches and odds",
        remedy: "check that the address is a feed's")
    }
  }

  private func address(of list: String) -> String { "\(endpoint.address.restBase)api/\(list)" }

  /// The body of a list's answer; nil where it is not about that topic. Takes no longer than the limit.
  private func list(_ name: String, of topic: Topic) async throws -> [UInt8]? {
    let address = address(of: name)
    return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await self.ask(address, topic) }
      group.addTask {
        try await Task.sleep(for: self.limits.request)
        throw self.late(address)
      }
      do { return try await group.next()! } catch let problem as FeedProblem { throw problem } catch {
        throw self.problem(error, address)
      }
    }
  }

  private func ask(_ address: String, _ topic: Topic) async throws -> [UInt8]? {
    let target = "\(address)?topic=\(topic.path.percentEncoded)"
    var request = HTTPClientRequest(url: target)
    request.headers = HTTPHeaders([
      ("Accept", "application/json"), ("Accept-Encoding", "gzip"), ("Origin", endpoint.origin), ("User-Agent", agent),
    ])
    if let token = endpoint.token { request.headers.add(name: "Authorization", value: "Bearer \(token.text)") }
    let old = known.withLock { $0[target] }
    if let old { request.headers.add(name: "If-None-Match", value: old.tag) }
    let response = try await client.execute(request, timeout: .init(limits.request))
    if response.status == .notModified, let old { return old.body }
    guard response.status == .ok else { throw Self.refusal(response, address) }
    var body: [UInt8]?
    if Self.isAbout(topic, response.headers) {
      body = [UInt8](buffer: try await response.body.collect(upTo: limits.bodyBytes))
    }
    let answer = response.headers.first(name: "ETag").map { Known(tag: $0, body: body) }
    known.withLock { known in
      if known.count >= Self.mostKnown, known[target] == nil { known = [:] }
      known[target] = answer
    }
    return body
  }

  /// Where the answer says which topic it is about, that counts; else it is about what most people look at.
  private static func isAbout(_ topic: Topic, _ headers: HTTPHeaders) -> Bool {
    guard let location = headers.first(name: "Content-Location") else {
      if case .aggregator(.popular, Topic.allSports, _, _) = topic.content { return true }
      return false
    }
    guard let query = location.firstSplit(at: "?")?.1 else { return false }
    return query.split(separator: "&").contains {
      $0.hasPrefix("topic=") && $0.dropFirst(6).percentDecoded == topic.path
    }
  }

  private static func refusal(_ response: HTTPClientResponse, _ address: String) -> FeedProblem {
    let status = "\(response.status.code) \(response.status.reasonPhrase.printable(60))"
    switch response.status.code {
    case 401: return FeedProblem("'\(address)' wants a token (\(status))", remedy: "give a valid one with --token-file")
    case 403: return FeedProblem("'\(address)' refuses us (\(status))", remedy: "check the token, and --origin")
    case 404:
      return FeedProblem("'\(address)' is not there: this feed has no REST interface", remedy: "wait for its stream")
    case 500...: return FeedProblem("'\(address)' cannot answer now (\(status))", remedy: "it is asked again by itself")
    default: return FeedProblem("'\(address)' answers \(status)", remedy: "check that the address is a feed's")
    }
  }

  private func problem(_ error: any Error, _ address: String) -> FeedProblem {
    switch error {
    case is CancellationError: return FeedProblem("the question to '\(address)' was given up", remedy: "ask again")
    case is NIOTooManyBytesError, is NIOHTTPDecompression.DecompressionError:
      return FeedProblem("'\(address)' answers too much", remedy: "check that the address is a feed's")
    case let error as HTTPClientError: return problem(error, address)
    default: return Words(address: endpoint.address).fault(error).problem
    }
  }

  private func problem(_ error: HTTPClientError, _ address: String) -> FeedProblem {
    switch error {
    case .cancelled: problem(CancellationError(), address)
    case .connectTimeout, .readTimeout, .deadlineExceeded, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout:
      late(address)
    case .proxyAuthenticationRequired:
      FeedProblem(
        "the proxy on the way to '\(address)' wants a user and a password",
        remedy: "set http://USER:PASSWORD@… as its URL")
    default:
      FeedProblem(
        "'\(address)' cannot be read: \("\(error)".printable())",
        remedy: "check the network; it is asked again by itself")
    }
  }

  private func late(_ address: String) -> FeedProblem {
    FeedProblem("'\(address)' did not answer within \(limits.request)", remedy: "it is asked again by itself")
  }
}
