import AccountModel
import Betfair
import Localization
import NIOCore
import NIOHTTP1
import OddsModel

/// Posts requests to a web service, each on a connection of its own.
final class PostClient: WebService {
  private let dialer: FeedDialer
  private let name: LocalizedMessage

  /// Creates a client. `name` is the key of the service's name in errors.
  init(_ dialer: FeedDialer, name: MessageKey) {
    self.dialer = dialer
    self.name = LocalizedMessage(name, dialer.endpoint.address.restBase)
  }

  func post(_ request: ServiceRequest) async throws(ConnectionError) -> ServiceAnswer {
    // NB: The body and the headers are secrets.
    do throws(FeedError) { try dialer.endpoint.address.checkSecrecy() } catch {
      throw ConnectionError(.untrusted, error)
    }
    var headers = dialer.jsonHeaders(token: nil)
    headers.add(contentsOf: [("Content-Type", request.contentType), ("X-Application", request.appKey.text)])
    if let token = request.token { headers.add(name: "X-Authentication", value: token.text) }
    let body = ByteBuffer(string: request.body.text)
    headers.add(name: "Content-Length", value: "\(body.readableBytes)")
    let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: request.path, headers: headers)
    let words = ErrorMessages(address: dialer.endpoint.address, part: name)
    let answer = try await dialer.ask(head, body: body, words: words)
    return ServiceAnswer(status: Int(answer.head.status.code), body: answer.body)
  }
}
