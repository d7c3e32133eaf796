import AccountModel
import EveryMatrix
import Localization
import NIOHTTP1
public import OddsFeed
package import OddsModel
import Platform

/// A client of a feed's REST interface (REST.md).
public final class RestClient: FeedAPI {
  /// The last response to a request, kept for a conditional request.
  private struct Known {
    var tag: String
    var body: [UInt8]?
  }

  private let dialer: FeedDialer
  private let tokens: TokenSource
  /// The known responses by request target. There are few, because one channel is shown at a time.
  private let known = Locked<[String: Known]>([:])
  private static let maxKnown = 16

  init(_ dialer: FeedDialer, tokens: TokenSource? = nil) {
    self.dialer = dialer
    self.tokens = tokens ?? TokenSource(dialer.endpoint)
  }

  package func snapshot(of topic: Topic) async throws(FeedError) -> APISnapshot? {
    let lists: (matches: [UInt8]?, odds: [UInt8]?)
    do {
      async let matches = list("matches", of: topic)
      async let odds = list("odds", of: topic)
      lists = try await (matches, odds)
    } catch let problem as FeedError {
      throw problem
    } catch { throw FeedError(.quotedServerText, "\(error)", remedy: .remedyAskedAgain) }
    guard let matches = lists.matches, let odds = lists.odds else { return nil }
    do {
      return APISnapshot(matches: try APIList<APIMatch>(json: matches), odds: try APIList<APIOdds>(json: odds))
    } catch {
      throw FeedError(
        .answerNoList, LocalizedMessage(.namedREST, dialer.endpoint.address.restBase), remedy: .remedyCheckIsFeed)
    }
  }

  /// Returns the body of a list, or nil if the response is about another topic.
  private func list(_ name: String, of topic: Topic) async throws(FeedError) -> [UInt8]? {
    let address = "\(dialer.endpoint.address.restBase)api/\(name)"
    let target = "/api/\(name)?topic=\(topic.path.percentEncoded)"
    let old = known.withLock { $0[target] }
    var headers = dialer.jsonHeaders(token: try await tokens.token())
    if let old { headers.add(name: "If-None-Match", value: old.tag) }
    let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: headers)
    let words = ErrorMessages(address: dialer.endpoint.address, part: LocalizedMessage(.namedREST, address))
    let answer: HTTPAnswer
    do throws(ConnectionError) { answer = try await dialer.ask(request, words: words) } catch { throw error.problem }
    if answer.head.status == .notModified, let old { return old.body }
    guard answer.head.status == .ok else { throw .refusal(answer.head, address, canLogIn: tokens.canLogIn) }
    let body = Self.isAbout(topic, answer.head.headers) ? answer.body : nil
    known.withLock { known in
      if known.count >= Self.maxKnown, known[target] == nil { known = [:] }
      known[target] = answer.head.headers.first(name: "ETag").map { Known(tag: $0, body: body) }
    }
    return body
  }

  /// Returns true if the response is about `topic`, according to its Content-Location. A response without that header
  /// is taken to be about the popular matches of all sports.
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
}

extension FeedError {
  /// Returns the error for an answer other than 200 from an address.
  static func refusal(_ head: HTTPResponseHead, _ address: String, canLogIn: Bool) -> FeedError {
    let status = "\(head.status.code) \(head.status.reasonPhrase.printable(60))"
    let name = LocalizedMessage(.quotedWords, address)
    switch head.status.code {
    case 401 where canLogIn: return FeedError(.answerWantsLogin, name, remedy: .remedyLogIn)
    case 401: return FeedError(.answerWantsToken, name, status, remedy: .remedyValidToken)
    case 403: return FeedError(.answerRefusesUs, name, status, remedy: .remedyCheckTokenAndOrigin)
    case 404: return FeedError(.answerNoREST, name, remedy: .remedyWaitForStream)
    case 408, 429, 500...: return FeedError(.answerCannotAnswer, name, status, remedy: .remedyAskedAgain)
    default: return FeedError(.answerOther, name, status, remedy: .remedyCheckIsFeed)
    }
  }
}
