import CLibrary
import Localization
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL
import OddsFeed
import OddsModel
import Platform

/// Maps errors of a connection to `ConnectionError`s with messages for the user.
struct ErrorMessages: Sendable {
  let address: FeedAddress
  var proxy: ProxyRules.Proxy?
  /// The name of the part of the feed that the errors concern; nil for its WebSocket.
  var part: LocalizedMessage?
  /// True if the user can log in to get a token.
  var canLogIn = false

  var name: LocalizedMessage { part ?? LocalizedMessage(.namedFeed, "\(address)") }

  /// Returns an error whose message has the feed's name as its first argument.
  func fault(_ kind: ConnectionError.Kind, _ message: MessageKey, _ values: any MessageArgument..., remedy: MessageKey)
    -> ConnectionError
  {
    ConnectionError(
      kind, FeedError(LocalizedMessage(message, values: [name] + values), remedy: LocalizedMessage(remedy)))
  }

  var givenUp: ConnectionError { fault(.lost, .connectCancelled, remedy: .remedyConnectAgain) }

  func timedOut(after limit: TimeAmount) -> ConnectionError {
    let remedy =
      proxy.map { LocalizedMessage(.remedyCheckNetworkAndProxy, $0.name) }
      ?? LocalizedMessage(.remedyCheckAddressAndNetwork)
    let message = LocalizedMessage(.dialTimedOut, name, Double(limit.nanoseconds) / 1e9)
    return ConnectionError(.unreachable, FeedError(message, remedy: remedy))
  }

  /// Returns the error for a server's HTTP response that refuses the WebSocket upgrade.
  func refusal(_ head: HTTPResponseHead, _ text: String) -> ConnectionError {
    let status = "\(head.status.code) \(head.status.reasonPhrase.printable(60))"
    func refusal(_ kind: ConnectionError.Kind, _ message: MessageKey, remedy: MessageKey) -> ConnectionError {
      ConnectionError(
        kind,
        FeedError(
          LocalizedMessage(message, name, status).quoting(text.printable(120)), remedy: LocalizedMessage(remedy)))
    }
    switch head.status.code {
    // NB: The server's text is about headers, so it is left out for users who only have to log in.
    case 401 where canLogIn: return fault(.unauthorized, .answerWantsLogin, remedy: .remedyLogIn)
    case 401: return refusal(.unauthorized, .answerWantsToken, remedy: .remedyValidToken)
    case 403: return refusal(.unauthorized, .answerRefusesUs, remedy: .remedyCheckTokenAndOrigin)
    case 300..<400:
      let place: any MessageArgument = head.headers.first(name: "Location")?.printable() ?? MessageKey.nowhere
      return fault(.protocolMismatch, .answerElsewhere, status, place, remedy: .remedyGiveThatAddress)
    case 404: return refusal(.protocolMismatch, .answerNotHere, remedy: .remedyCheckPath)
    case 408, 429, 500...:
      var error = refusal(.protocolMismatch, .answerCannotServe, remedy: .remedyTriedAgain)
      error.retryAfter = head.headers.retryAfter.map { Duration.seconds(min($0, Self.maxRetryAfter)) }
      return error
    default: return refusal(.protocolMismatch, .answerNoFeed, remedy: .remedyCheckIsFeed)
    }
  }

  /// The longest time that a busy feed can ask to wait for, in seconds.
  private static let maxRetryAfter = 300

  /// Returns the error for a failed HTTP request other than the WebSocket handshake.
  func exchangeError(_ error: any Error) -> ConnectionError {
    switch error {
    case HTTPParserError.invalidEOFState: fault(.lost, .answerBrokeOff, remedy: .remedyAskedAgain)
    case is HTTPParserError: fault(.protocolMismatch, .answerNoHTTP, remedy: .remedyCheckIsFeed)
    default: fault(error)
    }
  }

  func fault(_ error: any Error) -> ConnectionError {
    switch error {
    case let fault as ConnectionError: return fault
    case let error as NIOConnectionError: return unreachable(error)
    case ChannelError.connectTimeout(let limit): return timedOut(after: limit)
    case let error as NIOHTTP1ProxyConnectHandler.Error: return refusedByProxy(error)
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      return fault(.untrusted, .tlsOfOtherHost, address.host, remedy: .remedyCheckHost)
    case let error as NIOSSLExtraError where error == .serverHostnameImpossibleToMatch:
      return fault(.untrusted, .tlsNameUncertifiable, remedy: .remedyASCIIHost)
    case NIOSSLError.handshakeFailed(let why): return untrusted("\(why)")
    case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate: return untrusted("\(error)")
    case is HTTPParserError, is NIOHTTPClientUpgradeError:
      return fault(.protocolMismatch, .dialNoWebSocket, remedy: .remedyCheckIsFeed)
    default: return fault(.lost, .dialBrokeOff, Self.reason(error), remedy: .remedyTriedAgain)
    }
  }

  private func unreachable(_ error: NIOConnectionError) -> ConnectionError {
    let place = proxy.map { LocalizedMessage(.namedProxyTo, $0.name, name) } ?? name
    guard let first = error.connectionErrors.first?.error else {
      return ConnectionError(.unreachable, FeedError(.dialNameUnknown, place, remedy: .remedyCheckName))
    }
    if case ChannelError.connectTimeout(let limit) = first { return timedOut(after: limit) }
    return ConnectionError(
      .unreachable, FeedError(.dialUnreachable, place, Self.reason(first), remedy: .remedyCheckAddressAndFeed))
  }

  private func refusedByProxy(_ error: NIOHTTP1ProxyConnectHandler.Error) -> ConnectionError {
    let name = proxy.map { LocalizedMessage(.namedProxy, $0.name) } ?? LocalizedMessage(.unnamedProxy)
    if error == .proxyAuthenticationRequired() {
      return ConnectionError(.unauthorized, FeedError(.proxyWantsUser, name, remedy: .remedyProxyUser))
    }
    let place = "\(address.host):\(address.port)"
    return ConnectionError(.unreachable, FeedError(.proxyLeadsElsewhere, name, place, remedy: .remedyCheckProxy))
  }

  /// Returns the error for a failed TLS handshake, by its text, because BoringSSL gives its reasons as text only.
  private func untrusted(_ why: String) -> ConnectionError {
    if why.contains("CERTIFICATE_VERIFY_FAILED") {
      return fault(.untrusted, .tlsUntrusted, remedy: .remedyNameAuthority)
    }
    if why.contains("EOF during handshake") { return fault(.lost, .tlsBrokeOff, remedy: .remedyTriedAgain) }
    if why.contains("WRONG_VERSION_NUMBER") || why.contains("HTTP_REQUEST") {
      return fault(.protocolMismatch, .tlsNotSpoken, remedy: .remedyCheckPort)
    }
    return fault(.protocolMismatch, .tlsDisagrees, LocalizedMessage.foreign(why.printable()), remedy: .remedyTLS12)
  }

  /// Returns the reason of a system error, in the system's words if it has any.
  static func reason(_ error: any Error) -> LocalizedMessage {
    switch error {
    case let error as IOError: .foreign(String(cString: strerror(error.errnoCode)))
    case NIOSSLError.uncleanShutdown: LocalizedMessage(.endedSilently)
    case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.eof,
      ChannelError.inappropriateOperationForState:
      LocalizedMessage(.endedSilently)
    default: .foreign("\(error)".printable())
    }
  }
}

extension LocalizedMessage {
  /// Returns the message with a server's text appended, unless that is empty.
  func quoting(_ said: String) -> LocalizedMessage { said.isEmpty ? self : LocalizedMessage(.problemSaid, self, said) }
}
