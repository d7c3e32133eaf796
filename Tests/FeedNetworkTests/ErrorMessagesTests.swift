import Localization
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL
import OddsFeed
import OddsModel
import Testing

@testable import FeedNetwork

@Suite("The messages of connection errors")
struct ErrorMessagesTests {
  private static let words = ErrorMessages(address: try! FeedAddress("wss://feed.example"))
  private static let feed = "the feed 'wss://feed.example/v2'"
  private static let behindProxy = ErrorMessages(
    address: words.address, proxy: ProxyRules.Proxy(host: "gate", port: 3128),
    part: LocalizedMessage(.namedREST, "https://feed.example/api/odds"))
  private static let rest = "the feed's REST interface 'https://feed.example/api/odds'"

  private static func refusal(
    _ code: Int, _ text: String = "", headers: HTTPHeaders = [:], canLogIn: Bool = false
  ) -> ConnectionError {
    var words = words
    words.canLogIn = canLogIn
    return words.refusal(
      HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: code), headers: headers), text)
  }

  static let faults: [(ConnectionError, String)] = [
    (words.givenUp, "the attempt to connect to \(feed) was cancelled: reconnect"),
    (
      words.timedOut(after: .seconds(10)),
      "\(feed) did not answer within 10.0 seconds: check the address and the network"
    ),
    (
      behindProxy.timedOut(after: .milliseconds(2500)),
      "\(rest) did not answer within 2.5 seconds: check the network and the proxy 'gate:3128'"
    ),
    (
      refusal(401, "who?"),
      "\(feed) requires a token (401 Unauthorized): 'who?': provide a valid one with --token-file"
    ),
    (
      refusal(401, "who?", canLogIn: true),
      "\(feed) requires a login: log in with L, or provide a valid token with --token-file"
    ),
    (refusal(403), "\(feed) denied access (403 Forbidden): check the token and --origin"),
    (
      refusal(302, headers: ["Location": "/there"]),
      "\(feed) redirects to '/there' (302 Found): use that address with --feed"
    ),
    (refusal(302), "\(feed) redirects to 'unknown location' (302 Found): use that address with --feed"),
    (refusal(404), "\(feed) was not found (404 Not Found): check the path in the address"),
    (refusal(503), "\(feed) is temporarily unavailable (503 Service Unavailable): retrying automatically"),
    (refusal(200, "hello"), "\(feed) is not a feed (200 OK): 'hello': check that the address belongs to a feed"),
    (
      words.fault(NIOSSLExtraError.failedToValidateHostname),
      "the certificate of \(feed) is not valid for 'feed.example': check the host in the address"
    ),
    (
      words.fault(IOError(errnoCode: 104, reason: "read")),
      "lost the connection to \(feed) before it answered: Connection reset by peer: retrying automatically"
    ),
    (
      words.fault(ChannelError.eof),
      "lost the connection to \(feed) before it answered: connection closed unexpectedly: retrying automatically"
    ),
    (
      behindProxy.exchangeError(HTTPParserError.invalidEOFState),
      "\(rest) sent an incomplete answer: the request will be retried automatically"
    ),
    (
      behindProxy.exchangeError(HTTPParserError.invalidConstant),
      "\(rest) did not send a valid HTTP answer: check that the address belongs to a feed"
    ),
    (
      behindProxy.fault(NIOHTTP1ProxyConnectHandler.Error.proxyAuthenticationRequired()),
      "the proxy 'gate:3128' requires a user name and password: add them to its URL: http://USER:PASSWORD@…"
    ),
    (
      behindProxy.fault(NIOHTTP1ProxyConnectHandler.Error.droppedWrites()),
      "the proxy 'gate:3128' cannot connect to feed.example:443: check the proxy, or add the host to no_proxy"
    ),
  ]

  @Test("have a cause and a remedy in English", arguments: faults)
  func english(fault: ConnectionError, text: String) {
    #expect("\(fault.problem)" == text)
  }

  @Test("are translated into every language, and name the feed or the proxy", arguments: Language.allCases)
  func everyLanguage(_ language: Language) {
    let words = Catalog(language)
    for (fault, english) in Self.faults {
      let text = words.text(fault.problem.sentence)
      #expect(text.contains("feed.example") || text.contains("gate"), "\(text)")
      #expect((text == english) == (language == .english), "\(text)")
    }
  }

  @Test("are translated into French and Chinese, with the system's reason quoted as it is")
  func sentences() {
    let reset = Self.words.fault(IOError(errnoCode: 104, reason: "read")).problem.sentence
    let (begin, end) = ("«\u{202F}", "\u{202F}»")
    #expect(
      Catalog(.french).text(reset)
        == "le flux \(begin)wss://feed.example/v2\(end) a coupé la connexion avant de répondre\u{202F}: "
        + "\(begin)Connection reset by peer\(end)\u{202F}: nouvelle tentative automatique")
    let late = Self.behindProxy.timedOut(after: .milliseconds(2500)).problem.sentence
    #expect(
      Catalog(.french).text(late).hasSuffix(
        "n'a pas répondu dans les 2,5 secondes\u{202F}: vérifiez le réseau et le proxy \(begin)gate:3128\(end)"))
    #expect(
      Catalog(.traditionalChinese).text(late)
        == "資料源的 REST 介面「https://feed.example/api/odds」未在2.5秒內回應：請檢查網路與代理伺服器「gate:3128」")
  }
}
