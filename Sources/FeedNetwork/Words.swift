import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL
import OddsFeed

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What can go wrong on the way to a feed, in words for its user.
struct Words: Sendable {
  let address: FeedAddress
  var proxy: ProxyRules.Proxy?
  /// What of the feed is meant, where it is not its WebSocket.
  var part: String?

  static let otherAddress = "check that the address is a feed's"

  /// What the feed is called.
  var name: String { part ?? "the feed '\(address)'" }

  func fault(_ kind: LineFault.Kind, _ what: String, remedy: String) -> LineFault {
    LineFault(kind, FeedProblem("\(name) \(what)", remedy: remedy))
  }

  var givenUp: LineFault { fault(.lost, "was given up before it answered", remedy: "connect again") }

  func timedOut(after limit: TimeAmount) -> LineFault {
    fault(
      .unreachable, "did not answer within \(Duration.nanoseconds(limit.nanoseconds))",
      remedy: proxy.map { "check the network and the proxy '\($0.name)'" } ?? "check the address, and the network")
  }

  /// What a server said that did not want to become a WebSocket.
  func refusal(_ head: HTTPResponseHead, _ text: String) -> LineFault {
    let status = "\(head.status.code) \(head.status.reasonPhrase.printable(60))"
    let said = text.printable(120)
    let quoted = said.isEmpty ? "" : ": '\(said)'"
    switch head.status.code {
    case 401: return fault(.denied, "wants a token (\(status))\(quoted)", remedy: "give a valid one with --token-file")
    case 403:
      return fault(.denied, "refuses us (\(status))\(quoted)", remedy: "check the token, and --origin")
    case 300..<400:
      let place = head.headers.first(name: "Location")?.printable() ?? "nowhere"
      return fault(.misfit, "is not here (\(status)): it points to '\(place)'", remedy: "give that address with --feed")
    case 404: return fault(.misfit, "is not here (\(status))\(quoted)", remedy: "check the address's path")
    case 408, 429, 500...:
      return fault(.misfit, "cannot serve now (\(status))\(quoted)", remedy: "it is tried again by itself")
    default: return fault(.misfit, "is no feed (\(status))\(quoted)", remedy: Self.otherAddress)
    }
  }

  func fault(_ error: any Error) -> LineFault {
    switch error {
    case let fault as LineFault: return fault
    case let error as NIOConnectionError: return unreachable(error)
    case ChannelError.connectTimeout(let limit): return timedOut(after: limit)
    case let error as NIOHTTP1ProxyConnectHandler.Error: return refusedByProxy(error)
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      return fault(
        .untrusted, "shows a certificate that is not for '\(address.host)'", remedy: "check the address's host")
    case let error as NIOSSLExtraError where error == .serverHostnameImpossibleToMatch:
      return fault(
        .untrusted, "has a name that no certificate can have", remedy: "write its host in ASCII, each part as xn--…")
    case NIOSSLError.handshakeFailed(let why): return untrusted("\(why)")
    case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate: return untrusted("\(error)")
    case is HTTPParserError, is NIOHTTPClientUpgradeError:
      return fault(.misfit, "does not answer as a WebSocket does", remedy: Self.otherAddress)
    default:
      return fault(.lost, "broke off before it answered: \(Self.reason(error))", remedy: "it is tried again by itself")
    }
  }

  private func unreachable(_ error: NIOConnectionError) -> LineFault {
    let place = proxy.map { "the proxy '\($0.name)' on the way to " } ?? ""
    guard let first = error.connectionErrors.first?.error else {
      return LineFault(
        .unreachable, FeedProblem("\(place)\(name) has an unknown name", remedy: "check the name, and the network"))
    }
    if case ChannelError.connectTimeout(let limit) = first { return timedOut(after: limit) }
    let what = "\(place)\(name) cannot be reached: \(Self.reason(first))"
    return LineFault(.unreachable, FeedProblem(what, remedy: "check the address, and that the feed is running"))
  }

  private func refusedByProxy(_ error: NIOHTTP1ProxyConnectHandler.Error) -> LineFault {
    let name = proxy.map { "the proxy '\($0.name)'" } ?? "the proxy"
    if error == .proxyAuthenticationRequired() {
      return LineFault(
        .denied, FeedProblem("\(name) wants a user and a password", remedy: "set http://USER:PASSWORD@… as its URL"))
    }
    let what = "\(name) does not lead to \(address.host):\(address.port)"
    return LineFault(.unreachable, FeedProblem(what, remedy: "check the proxy, or name the host in no_proxy"))
  }

  /// BoringSSL's errors are words in capitals.
  private func untrusted(_ why: String) -> LineFault {
    if why.contains("CERTIFICATE_VERIFY_FAILED") {
      return fault(
        .untrusted, "shows a certificate that has expired or comes from no authority that is trusted here",
        remedy: "name its authority with --ca-file")
    }
    if why.contains("EOF during handshake") {
      return fault(.lost, "ended while encryption was being agreed on", remedy: "it is tried again by itself")
    }
    if why.contains("WRONG_VERSION_NUMBER") || why.contains("HTTP_REQUEST") {
      return fault(.misfit, "does not speak TLS", remedy: "check the port, or use ws://")
    }
    return fault(.misfit, "does not agree on encryption: \(why.printable())", remedy: "it must speak TLS 1.2 or later")
  }

  /// An error of the system's in its own words.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case NIOSSLError.uncleanShutdown: "it ended without a word"
    case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.eof,
      ChannelError.inappropriateOperationForState:
      "it ended without a word"
    default: "\(error)".printable()
    }
  }
}
