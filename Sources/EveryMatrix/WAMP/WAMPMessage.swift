/// A message of WAMP v2, Basic Profile, in JSON: the subset that the feed uses (Transport.md), for client and server.
package enum WAMPMessage: Hashable, Sendable {
  // Session messages.
  case hello(realm: String)
  case welcome(session: UInt64)
  case abort(reason: String, text: String)
  case goodbye(reason: String)
  /// An error answer to a request, with the request's message type and id.
  case error(type: UInt64, request: UInt64, uri: String, text: String)

  // Calls and their results. A payload is the range of a JSON value in the frame.
  case call(request: UInt64, procedure: String, topic: String?)
  case result(request: UInt64, payload: Range<Int>?)

  // Registrations and invocations. The feed sends its updates as invocations.
  case register(request: UInt64, procedure: String)
  case registered(request: UInt64, registration: UInt64)
  case unregister(request: UInt64, registration: UInt64)
  case unregistered(request: UInt64)
  case invocation(request: UInt64, registration: UInt64, payload: Range<Int>?)
  case yield(request: UInt64)

  /// A message of another type, which needs no answer.
  case other(type: UInt64)
}

extension WAMPMessage {
  /// The name of the sub-protocol in the WebSocket handshake.
  package static let subprotocol = "wamp.2.json"
  /// The procedure that returns a dump.
  package static let dumpProcedure = "/sports#initialDump"
  /// The largest id. Ids are chosen from 1 up to it.
  package static let largestID: UInt64 = 1 << 53

  /// The codes of message types.
  package enum Code {
    package static let hello: UInt64 = 1
    package static let welcome: UInt64 = 2
    package static let abort: UInt64 = 3
    package static let goodbye: UInt64 = 6
    package static let error: UInt64 = 8
    package static let call: UInt64 = 48
    package static let result: UInt64 = 50
    package static let register: UInt64 = 64
    package static let registered: UInt64 = 65
    package static let unregister: UInt64 = 66
    package static let unregistered: UInt64 = 67
    package static let invocation: UInt64 = 68
    package static let yield: UInt64 = 70
  }

  /// Error and reason URIs of the protocol and of the feed.
  package enum URI {
    package static let closeRealm = "wamp.close.close_realm"
    package static let goodbyeAndOut = "wamp.close.goodbye_and_out"
    package static let systemShutdown = "wamp.close.system_shutdown"
    /// The feed ended the session from its side.
    package static let killed = "wamp.close.killed"
    package static let noSuchRealm = "wamp.error.no_such_realm"
    package static let noSuchProcedure = "wamp.error.no_such_procedure"
    package static let noSuchRegistration = "wamp.error.no_such_registration"
    package static let procedureAlreadyExists = "wamp.error.procedure_already_exists"
    package static let invalidArgument = "wamp.error.invalid_argument"
    package static let invalidURI = "wamp.error.invalid_uri"
    package static let notAuthorized = "wamp.error.not_authorized"
    package static let protocolViolation = "wamp.error.protocol_violation"
    /// The feed is under maintenance.
    package static let noBackend = "wamp.no.backend"
    /// An error of this project's server: a limit was reached.
    package static let limit = "toteboard.error.limit"
  }
}

/// The reason why a text is no WAMP message.
package enum WAMPError: Error, Hashable, Sendable {
  /// The text is no JSON array that begins with a number.
  case notAMessage
  /// The message has this type, but its elements do not match the type.
  case malformed(type: UInt64)
}
