import Localization
import NIOHTTP1
import OddsFeed
import OddsModel

/// Requests documents from a server, each on a connection of its own.
final class DocumentClient: DocumentFetcher {
  private let dialer: FeedDialer

  init(_ dialer: FeedDialer) { self.dialer = dialer }

  /// Returns the body of the answer to a request for a path with its query.
  ///
  /// - Throws: A `FeedError` if there is no answer, or another status than 200.
  func get(_ target: String) async throws(FeedError) -> [UInt8] {
    // Without the query, which is long and of no use to the user.
    let address = "\(dialer.endpoint.address.restBase)\(target.dropFirst().prefix { $0 != "?" })"
    let headers = dialer.jsonHeaders(token: nil)
    let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: headers)
    let words = ErrorMessages(address: dialer.endpoint.address, part: LocalizedMessage(.namedREST, address))
    let answer: HTTPAnswer
    do throws(ConnectionError) { answer = try await dialer.ask(request, words: words) } catch { throw error.problem }
    guard answer.head.status == .ok else { throw .refusal(answer.head, address, canLogIn: false) }
    return answer.body
  }
}
