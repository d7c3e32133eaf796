import EveryMatrix
import OddsFeed
package import OddsModel

/// The server's side of one WAMP session (Transport.md): takes messages and returns the outputs to perform.
///
/// Does not know the time, the contents of topics or other sessions; its owner keeps the clock and has the dumps.
package struct WAMPConversation: Sendable {
  /// An output for the session's owner to perform, in order.
  package enum Output: Hashable, Sendable {
    case send([UInt8])
    /// Begin to collect updates of the topic, then call `joined(_:request:)`, or `refuseJoin(_:_:_:)`. Messages that
    /// arrive in the meantime have to wait.
    case join(Topic, request: UInt64)
    /// Stop sending updates of the topic.
    case leave(Topic, registration: UInt64)
    /// Send the topic's dump: `answer(_:with:)` or `refuseDump(_:_:_:)`.
    case dump(Topic, request: UInt64)
    /// Close the connection with this WebSocket code.
    case close(code: UInt16)
  }

  private enum Phase: Hashable {
    case greeting, open, over
  }

  private let session: UInt64
  /// The required realm; nil accepts any.
  private let realm: String?
  private let maxTopics: Int
  private var phase = Phase.greeting
  private var registrations: [UInt64: Topic] = [:]
  private var lastRegistration: UInt64 = 0
  private var lastInvocation: UInt64 = 0

  /// Creates a session that waits for its HELLO.
  package init(session: UInt64, realm: String? = nil, maxTopics: Int = .max) {
    self.session = session
    self.realm = realm
    self.maxTopics = maxTopics
  }

  package var isOpen: Bool { phase == .open }

  /// Processes a text frame from the client.
  package mutating func receive(_ text: [UInt8]) -> [Output] {
    if phase == .over { return [] }
    let message: WAMPMessage
    do {
      message = try text.withUnsafeBufferPointer { bytes throws(WAMPError) in try WAMPMessage.parse(bytes) }
    } catch {
      return violation(
        "the frame is no WAMP message: send JSON arrays as wamp.2.json has them, with ids from 1 to 2^53")
    }
    return phase == .greeting ? greet(message) : answer(message)
  }

  /// Ends the session from the server's side. The default reason is the shutdown of the server.
  package mutating func shutDown(
    reason: String = WAMPMessage.URI.systemShutdown, code: UInt16 = CloseCode.goingAway
  ) -> [Output] {
    defer { phase = .over }
    guard phase == .open else { return phase == .over ? [] : [.close(code: code)] }
    return leaveAll() + [.send(WAMPMessage.goodbye(reason: reason).text), .close(code: code)]
  }

  /// Ends the session with an ABORT because a limit was reached. `text` names the limit and the remedy.
  package mutating func refuse(_ text: String) -> [Output] {
    phase == .over ? [] : abort(WAMPMessage.URI.limit, text, CloseCode.policy)
  }

  /// Returns the prefix of the next invocation's frame. The message of the update follows, then `]`.
  package mutating func nextInvocation(of registration: UInt64) -> [UInt8] {
    lastInvocation = lastInvocation == WAMPMessage.largestID ? 1 : lastInvocation + 1
    return WAMPMessage.invocationHead(request: lastInvocation, registration: registration)
  }

  /// Registers a joined topic. Returns the answer, and the number of the registration for `nextInvocation(of:)`.
  package mutating func joined(_ topic: Topic, request: UInt64) -> (registration: UInt64, answer: [UInt8]) {
    lastRegistration += 1
    registrations[lastRegistration] = topic
    return (
      lastRegistration, WAMPMessage.registered(request: request, registration: lastRegistration).text
    )
  }

  /// Returns the answer to a call for a dump.
  package func answer(_ request: UInt64, with dump: [UInt8]) -> [UInt8] {
    WAMPMessage.result(request: request, payload: dump)
  }

  /// Returns the answer to the registration of a topic that cannot be joined.
  package func refuseJoin(_ request: UInt64, _ uri: String, _ text: String) -> [UInt8] {
    error(WAMPMessage.Code.register, request, uri, text)
  }

  /// Returns the answer to a call for a dump that cannot be made.
  package func refuseDump(_ request: UInt64, _ uri: String, _ text: String) -> [UInt8] {
    error(WAMPMessage.Code.call, request, uri, text)
  }

  private mutating func greet(_ message: WAMPMessage) -> [Output] {
    guard case .hello(let wanted) = message else { return violation("a session begins with HELLO: send it first") }
    if let realm, wanted != realm {
      let text = "realm '\(wanted.excerpt)' is not served here: ask for another"
      return abort(WAMPMessage.URI.noSuchRealm, text, CloseCode.normal)
    }
    phase = .open
    return [.send(WAMPMessage.welcome(session: session).text)]
  }

  private mutating func answer(_ message: WAMPMessage) -> [Output] {
    if let refusal = message.nameRefusal { return [.send(refusal.text)] }
    switch message {
    case .register(let request, let procedure): return register(request, Topic(path: procedure))
    case .unregister(let request, let registration):
      guard let topic = registrations.removeValue(forKey: registration) else {
        return [.send(error(WAMPMessage.Code.unregister, request, WAMPMessage.URI.noSuchRegistration))]
      }
      return [.leave(topic, registration: registration), .send(WAMPMessage.unregistered(request: request).text)]
    case .call(let request, WAMPMessage.dumpProcedure, let topic?):
      return [.dump(Topic(path: topic), request: request)]
    case .call(let request, WAMPMessage.dumpProcedure, nil):
      let text = "the call has no topic: give one as {\"topic\":…}"
      return [.send(error(WAMPMessage.Code.call, request, WAMPMessage.URI.invalidArgument, text))]
    case .call(let request, let procedure, _):
      let text = "procedure '\(procedure.excerpt)' is unknown: call '\(WAMPMessage.dumpProcedure)'"
      return [.send(error(WAMPMessage.Code.call, request, WAMPMessage.URI.noSuchProcedure, text))]
    case .goodbye:
      phase = .over
      return leaveAll() + [
        .send(WAMPMessage.goodbye(reason: WAMPMessage.URI.goodbyeAndOut).text), .close(code: CloseCode.normal),
      ]
    case .abort:
      phase = .over
      return leaveAll() + [.close(code: CloseCode.normal)]
    // Results of invocations are ignored: a feed does not need them, nor an ERROR in place of a YIELD.
    case .yield, .error: return []
    case .hello: return violation("a second HELLO in one session: close the connection first")
    case .welcome, .result, .registered, .unregistered, .invocation:
      return violation("a client does not send that: it is the server's to send")
    case .other(let type): return violation("message type '\(type)' is not served here: this feed is a dealer only")
    }
  }

  private mutating func register(_ request: UInt64, _ topic: Topic) -> [Output] {
    if topic.path.isEmpty {
      return [
        .send(error(WAMPMessage.Code.register, request, WAMPMessage.URI.invalidURI, "the topic is empty: name one"))
      ]
    }
    if registrations.values.contains(topic) {
      let text = "topic '\(topic.path.excerpt)' is registered already: unregister it first"
      return [.send(error(WAMPMessage.Code.register, request, WAMPMessage.URI.procedureAlreadyExists, text))]
    }
    if registrations.count >= maxTopics {
      let text = "\(maxTopics) topics are registered, which is the most of a session: unregister one first"
      return [.send(error(WAMPMessage.Code.register, request, WAMPMessage.URI.limit, text))]
    }
    return [.join(topic, request: request)]
  }

  private mutating func leaveAll() -> [Output] {
    defer { registrations = [:] }
    return registrations.sorted { $0.key < $1.key }.map { .leave($0.value, registration: $0.key) }
  }

  private mutating func violation(_ text: String) -> [Output] {
    abort(WAMPMessage.URI.protocolViolation, text, CloseCode.protocolError)
  }

  private mutating func abort(_ reason: String, _ text: String, _ code: UInt16) -> [Output] {
    phase = .over
    return leaveAll() + [.send(WAMPMessage.abort(reason: reason, text: text).text), .close(code: code)]
  }

  private func error(_ type: UInt64, _ request: UInt64, _ uri: String, _ text: String = "") -> [UInt8] {
    WAMPMessage.error(type: type, request: request, uri: uri, text: text).text
  }
}

extension Topic {
  /// The text of the error that the topic does not exist.
  package var unknownText: String { "topic '\(path.excerpt)' is unknown" }
}
