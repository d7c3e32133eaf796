/// A message of WAMP v2, Basic Profile, in JSON: as much of it as the feed uses (Transport.md). Both ends speak it.
package enum WAMPMessage: Hashable, Sendable {
  // The session.
  case hello(realm: String)
  case welcome(session: UInt64)
  case abort(reason: String, text: String)
  case goodbye(reason: String)
  /// An answer to the request of that type: its code and number.
  case error(type: UInt64, request: UInt64, uri: String, text: String)

  // What the caller asks, and is answered. A payload is the place of a JSON value in the frame.
  case call(request: UInt64, procedure: String, topic: String?)
  case result(request: UInt64, payload: Range<Int>?)

  // What the callee offers, and is asked: the feed sends its updates so.
  case register(request: UInt64, procedure: String)
  case registered(request: UInt64, registration: UInt64)
  case unregister(request: UInt64, registration: UInt64)
  case unregistered(request: UInt64)
  case invocation(request: UInt64, registration: UInt64, payload: Range<Int>?)
  case yield(request: UInt64)

  /// A message of a type that is not used here; an answer is not owed.
  case other(type: UInt64)
}

extension WAMPMessage {
  /// The sub-protocol's name in the WebSocket handshake.
  package static let subprotocol = "wamp.2.json"
  /// What dumps are called for by.
  package static let dumpProcedure = "/sports#initialDump"
  /// Ids are drawn from 1 to this.
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

  /// Error and reason URIs, the protocol's own and the feed's.
  package enum URI {
    package static let closeRealm = "wamp.close.close_realm"
    package static let goodbyeAndOut = "wamp.close.goodbye_and_out"
    package static let systemShutdown = "wamp.close.system_shutdown"
    /// The session was ended from elsewhere.
    package static let killed = "wamp.close.killed"
    package static let noSuchRealm = "wamp.error.no_such_realm"
    package static let noSuchProcedure = "wamp.error.no_such_procedure"
    package static let noSuchRegistration = "wamp.error.no_such_registration"
    package static let procedureAlreadyExists = "wamp.error.procedure_already_exists"
    package static let invalidArgument = "wamp.error.invalid_argument"
    package static let invalidURI = "wamp.error.invalid_uri"
    package static let notAuthorized = "wamp.error.not_authorized"
    package static let protocolViolation = "wamp.error.protocol_violation"
    /// The feed is being worked on.
    package static let noBackend = "wamp.no.backend"
    /// Our server's own: a bound was reached.
    package static let limit = "toteboard.error.limit"
  }
}

/// Why a text is no WAMP message.
package enum WAMPFault: Error, Hashable, Sendable {
  /// No JSON array that begins with a number.
  case notAMessage
  /// A message of that type, but not as that type is made.
  case malformed(type: UInt64)
}
