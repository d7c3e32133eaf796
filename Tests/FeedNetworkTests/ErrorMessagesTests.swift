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

@Suite("What went wrong on the way to a feed")
struct WordsTests {
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
    (words.givenUp, "\(feed) was given up before it answered: connect again"),
    (
      words.timedOut(after: .seconds(10)),
      "\(feed) did not answer within 10.0 seconds: check the address, and the network"
    ),
    (
      behindProxy.timedOut(after: .milliseconds(2500)),
      "\(rest) did not answer within 2.5 seconds: check the network and the proxy 'gate:3128'"
    ),
    (
      refusal(401, "who?"),
      "\(feed) wants a token (401 Unauthorized): 'who?': give a valid one with --token-file"
    ),
    (
      refusal(401, "who?", canLogIn: true),
      "\(feed) is for users who have logged in: log in with L, or give a valid token with --token-file"
    ),
    (refusal(403), "\(feed) refuses us (403 Forbidden): check the token, and --origin"),
    (
      refusal(302, headers: ["Location": "/there"]),
      "\(feed) is not here (302 Found): it points to '/there': give that address with --feed"
    ),
    (refusal(302), "\(feed) is not here (302 Found): it points to 'nowhere': give that address with --feed"),
    (refusal(404), "\(feed) is not here (404 Not Found): check the address's path"),
    (refusal(503), "\(feed) cannot serve now (503 Service Unavailable): it is tried again by itself"),
    (refusal(200, "hello"), "\(feed) is no feed (200 OK): 'hello': check that the address is a feed's"),
    (
      words.fault(NIOSSLExtraError.failedToValidateHostname),
      "\(feed) shows a certificate that is not for 'feed.example': check the address's host"
    ),
    (
      words.fault(IOError(errnoCode: 104, reason: "read")),
      "\(feed) broke off before it answered: Connection reset by peer: it is tried again by itself"
    ),
    (
      words.fault(ChannelError.eof),
      "\(feed) broke off before it answered: it ended without a word: it is tried again by itself"
    ),
    (
      behindProxy.exchangeFault(HTTPParserError.invalidEOFState),
      "\(rest) broke off in its answer: it is asked again by itself"
    ),
    (
      behindProxy.exchangeFault(HTTPParserError.invalidConstant),
      "\(rest) does not answer as HTTP does: check that the address is a feed's"
    ),
    (
      behindProxy.fault(NIOHTTP1ProxyConnectHandler.Error.proxyAuthenticationRequired()),
      "the proxy 'gate:3128' wants a user and a password: set http://USER:PASSWORD@… as its URL"
    ),
    (
      behindProxy.fault(NIOHTTP1ProxyConnectHandler.Error.droppedWrites()),
      "the proxy 'gate:3128' does not lead to feed.example:443: check the proxy, or name the host in no_proxy"
    ),
  ]

  @Test("in English", arguments: faults)
  func english(fault: ConnectionError, text: String) {
    #expect("\(fault.problem)" == text)
  }

  @Test("in each language, with the feed's name and no English around it", arguments: Language.allCases)
  func everyLanguage(_ language: Language) {
    let words = Catalog(language)
    for (fault, english) in Self.faults {
      let text = words.text(fault.problem.sentence)
      #expect(text.contains("feed.example") || text.contains("gate"), "\(text)")
      #expect((text == english) == (language == .english), "\(text)")
    }
  }

  @Test("A sentence in French and Chinese, with what the system said as not ours")
  func sentences() {
    let reset = Self.words.fault(IOError(errnoCode: 104, reason: "read")).problem.sentence
    let (begin, end) = ("«\u{202F}", "\u{202F}»")
    #expect(
      Catalog(.french).text(reset)
        == "le flux \(begin)wss://feed.example/v2\(end) a rompu la connexion avant de répondre\u{202F}: "
        + "\(begin)Connection reset by peer\(end)\u{202F}: une nouvelle tentative suivra automatiquement")
    let late = Self.behindProxy.timedOut(after: .milliseconds(2500)).problem.sentence
    #expect(
      Catalog(.french).text(late).hasSuffix(
        "n'a pas répondu en 2,5 secondes\u{202F}: vérifiez le réseau et le proxy \(begin)gate:3128\(end)"))
    #expect(
      Catalog(.traditionalChinese).text(late)
        == "資料源的 REST 介面「https://feed.example/api/odds」未在 2.5 秒內回應：請檢查網路與代理伺服器「gate:3128」")
  }
}
