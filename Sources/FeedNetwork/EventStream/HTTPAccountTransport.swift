import AccountModel
import Localization
import NIOCore
import NIOHTTP1
import OddsFeed
import OddsModel

/// The feed's account service over HTTP, at the host of its WebSocket.
final class HTTPAccountTransport: AccountTransport {
  private let dialer: FeedDialer

  init(_ dialer: FeedDialer) { self.dialer = dialer }

  func ask(_ request: AccountRequest) async throws(ConnectionError) -> AccountAnswer {
    var head = try head(of: request, headers: dialer.jsonHeaders(token: request.token))
    let body = request.body.map { ByteBuffer(string: $0.text) }
    if body != nil { head.headers.add(name: "Content-Type", value: "application/json") }
    if request.method == .post { head.headers.add(name: "Content-Length", value: "\(body?.readableBytes ?? 0)") }
    let answer: HTTPAnswer = try await dialer.dial(within: dialer.limits.answer) { [head, dialer] in
      let words = ErrorMessages(address: dialer.endpoint.address)
      return HTTPExchange.begin(head, body: body, on: $0, $1, words: words, bodyBytes: dialer.limits.answerBytes)
    }
    return AccountAnswer(
      status: Int(answer.head.status.code), body: answer.body, retryAfter: answer.head.headers.retryAfter)
  }

  func open(_ request: AccountRequest) async throws(ConnectionError) -> any EventStreamConnection {
    var head = try head(of: request, headers: dialer.headers(token: request.token))
    head.headers.add(contentsOf: [
      ("Accept", "text/event-stream"), ("Accept-Encoding", "identity"), ("Cache-Control", "no-store"),
    ])
    // An id that cannot be sent in a header, or that is longer than 1 KiB, is left out.
    if let id = request.lastEventID, id.utf8.count <= 1024, id.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
      head.headers.add(name: "Last-Event-ID", value: id)
    }
    let answer: EventStreamHandler.Answer
    do throws(ConnectionError) {
      answer = try await dialer.dial(within: dialer.limits.connect) { [head, dialer] in
        let words = ErrorMessages(address: dialer.endpoint.address)
        return EventStreamHandler.begin(head, on: $0, $1, words: words, limits: dialer.limits)
      }
    } catch {
      // NB: `.unauthorized` can only come from the proxy here, and does not mean that the feed rejected the token.
      throw error.kind == .unauthorized ? ConnectionError(.untrusted, error.problem) : error
    }
    switch answer {
    case .stream(let stream): return stream
    case .other(let status) where status == 401 || status == 403:
      throw ConnectionError(.unauthorized, FeedError(.accountSessionRefused, remedy: .accountLogInAgain))
    case .other(let status) where status == 429 || status >= 500:
      throw ConnectionError(.protocolMismatch, FeedError(.accountCannotNow, "\(status)", remedy: .remedyTriedAgain))
    case .other(let status):
      throw ConnectionError(.protocolMismatch, FeedError(.accountNoEventStream, "\(status)", remedy: .remedyTriedAgain))
    }
  }

  /// Returns the head of a request. Throws if a token or a body, which may hold a password, would be sent unencrypted.
  private func head(of request: AccountRequest, headers: HTTPHeaders) throws(ConnectionError) -> HTTPRequestHead {
    if request.token != nil || request.body != nil {
      do { try dialer.endpoint.address.checkSecrecy() } catch { throw ConnectionError(.untrusted, error) }
    }
    precondition(request.path.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "'\(request.path)' is no path: encode it")
    return HTTPRequestHead(
      version: .http1_1, method: request.method == .post ? .POST : .GET, uri: request.path, headers: headers)
  }
}
