import AccountModel
import EveryMatrix
import FeedSimulator
import NIOHTTP1
import OddsModel

/// The rules for access to the WebSocket and to the REST interface.
struct AccessPolicy: Sendable {
  static let socketPath = "/v2"
  /// The header in which `HTTPAdmissionHandler` passes the login session of a WebSocket on. It replaces what a client
  /// sends.
  static let loginSessionHeader = "toteboard-login-session"

  let origins: [String]
  /// The shared token of the server; nil if there is none.
  let token: AccessToken?
  /// The account service, whose session tokens are accepted too; nil if there is none.
  let accounts: Authenticator?
  /// True if every client needs a token, also if the server has no shared one.
  let requiresLogin: Bool
  /// The origin of the topics. WebSocket requests are refused while it has an outage.
  let source: any TopicSource
  let limits: ServerLimits
  let metrics: ServerMetrics

  /// A refusal of a WebSocket request, as an HTTP response.
  struct Refusal: Error {
    let status: HTTPResponseStatus
    let reason: ServerMetrics.Refusal
    /// The message for the client. Names the value and the remedy.
    let text: String
    var headers: [(String, String)] = []

    /// The refusal of a client with too many connections.
    static func connections(_ limits: ServerLimits) -> Refusal {
      Refusal(
        status: .serviceUnavailable, reason: .address,
        text: "more than '\(limits.connectionsPerAddress)' connections from your address: close some of them",
        headers: [("Retry-After", "5")])
    }
  }

  /// Accepts a WebSocket request. Returns the id of the login session with which the WebSocket ends; nil if there is
  /// none.
  ///
  /// - Throws: The refusal of the request.
  func admit(_ head: HTTPRequestHead) throws(Refusal) -> String? {
    let headers = head.headers
    guard head.method == .GET, headers[canonicalForm: "upgrade"].contains(where: { $0.lowercased() == "websocket" }),
      headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" }),
      !headers.contains(name: "content-length"), !headers.contains(name: "transfer-encoding")
    else {
      throw Refusal(
        status: .upgradeRequired, reason: .handshake,
        text: "'\(Self.socketPath)' is a WebSocket: request it with GET and 'Upgrade: websocket'",
        headers: [("Upgrade", "websocket"), ("Connection", "upgrade")])
    }
    guard headers["sec-websocket-version"] == ["13"] else {
      throw Refusal(
        status: .upgradeRequired, reason: .handshake, text: "unsupported WebSocket version: use version 13",
        headers: [("Sec-WebSocket-Version", "13"), ("Upgrade", "websocket"), ("Connection", "upgrade")])
    }
    guard headers["sec-websocket-key"].count == 1 else {
      throw Refusal(status: .badRequest, reason: .handshake, text: "the handshake has no key: send Sec-WebSocket-Key")
    }
    let origin = headers.first(name: "origin")
    guard origins.isEmpty || origins.contains(where: { $0.lowercased() == origin?.lowercased() }) else {
      throw Refusal(
        status: .forbidden, reason: .origin,
        text: "origin '\(origin ?? "")' is not allowed: ask the server's operator to add it with --origin")
    }
    let loginSession: String?
    switch access(of: headers.first(name: "authorization"), opensSession: true) {
    case .granted(let session): loginSession = session
    case .denied:
      throw Refusal(
        status: .unauthorized, reason: .token, text: "\(badToken): \(tokenRemedy)",
        headers: [("WWW-Authenticate", "Bearer")])
    case .unknown:
      throw Refusal(
        status: .serviceUnavailable, reason: .book,
        text: "the book of the accounts is not reachable: try again in a moment", headers: [("Retry-After", "1")])
    }
    let offered = headers[canonicalForm: "sec-websocket-protocol"]
    guard offered.contains(Substring(WAMPMessage.subprotocol)) else {
      throw Refusal(
        status: .badRequest, reason: .protocols,
        text: "subprotocol '\(offered.joined(separator: ", "))' is not supported: offer '\(WAMPMessage.subprotocol)'")
    }
    guard source.outage == nil else {
      throw Refusal(
        status: .serviceUnavailable, reason: .book,
        text: "\(TopicError.lost.problem(FeedRoutes.usualTopic)): \(TopicError.lost.remedy)",
        headers: [("Retry-After", "1")])
    }
    guard metrics.sessions < limits.sessions, !metrics.isDraining else {
      throw Refusal(
        status: .serviceUnavailable, reason: .sessions,
        text:
          "the limit of '\(limits.sessions)' sessions is reached, or the server is shutting down: try again later",
        headers: [("Retry-After", "5")])
    }
    return loginSession
  }

  enum Access: Hashable {
    /// `session` is the id of the login session of the token; nil if access does not depend on one.
    case granted(session: String?)
    case denied
    /// The token may be that of an open session: this process does not know now.
    case unknown
  }

  /// Returns the access of a client. It is granted if no token is required, or if the header has the server's token or
  /// that of an open session.
  ///
  /// - Parameter opensSession: True if the client opens a WebSocket, which ends with the session of the token. It then
  ///   must be known, even if no token is required.
  func access(of header: String?, opensSession: Bool = false) -> Access {
    let isOptional = token == nil && !requiresLogin
    if isOptional, !opensSession || header == nil { return .granted(session: nil) }
    if token?.isShown(by: header) == true { return .granted(session: nil) }
    switch accounts?.session(shownBy: header) {
    case .open(let session)?: return .granted(session: session.id)
    case .unknown?: return .unknown
    case .over?, nil: return isOptional ? .granted(session: nil) : .denied
    }
  }

  var badToken: String { "the token is missing or wrong" + (accounts == nil ? "" : ", or its session has ended") }

  var tokenRemedy: String {
    "send 'Authorization: Bearer TOKEN'" + (accounts == nil ? "" : " with a token from '\(AccountPath.login)'")
  }
}
