import JSONText

/// The conversation with the stream, as a state machine without a clock and without a socket: lines and times go in,
/// lines to send and events come out. Times are since a fixed moment.
package struct MarketStreamSession: Sendable {
  package enum Action: Hashable, Sendable {
    /// Send a line; the end of the line has to be appended.
    case send([UInt8])
    /// The provider has accepted the subscription. With `isContinued`, it was asked to continue at a position.
    case subscribed(isContinued: Bool)
    /// Decode the received line.
    case decode
    /// Close the connection and react.
    case close(Failure)
  }

  package enum Failure: Hashable, Sendable {
    /// The provider refused a request, with its message.
    case refused(StreamErrorCode, String)
    /// The provider refused a request with a code that is not known.
    case refusedUnknown(String)
    /// Nothing arrived in time.
    case silence

    package var reaction: StreamErrorCode.Reaction {
      switch self {
      case .refused(let code, _): code.reaction
      case .refusedUnknown, .silence: .retry
      }
    }
  }

  private enum Phase { case closed, greeting, authentication, subscription, live }

  /// The provider closes a connection on which the client says nothing for this time.
  static let answerTimeout = Duration.seconds(15)

  private let appKey: String
  private let subscription: MarketSubscription
  private var phase = Phase.closed
  private var token = ""
  private var lastID: Int64 = 0
  private var lastLine = Duration.zero
  /// The position of the last whole message; nil before the first, and after the provider has rejected it.
  package private(set) var position: StreamPosition?

  package init(appKey: String, subscription: MarketSubscription) {
    self.appKey = appKey
    self.subscription = subscription
  }

  /// Begins a connection with the token of the account's session.
  package mutating func connected(token: String, at time: Duration) {
    self.token = token
    phase = .greeting
    lastLine = time
  }

  /// Ends the connection. The position is kept for the next one.
  package mutating func disconnected() { phase = .closed }

  /// The time at which `checkSilence(at:)` has to be called; nil if there is no connection.
  package var nextDeadline: Duration? { phase == .closed ? nil : lastLine + timeout }

  private var timeout: Duration {
    phase == .live ? .milliseconds(2 * subscription.heartbeat) : Self.answerTimeout
  }

  /// Gives up the connection if it is silent: for two heartbeats, or for the time of an answer.
  package mutating func checkSilence(at time: Duration) -> [Action] {
    guard let nextDeadline, time >= nextDeadline else { return [] }
    phase = .closed
    return [.close(.silence)]
  }

  /// Reads a received line.
  package mutating func receive(_ line: UnsafeBufferPointer<UInt8>, at time: Duration) -> [Action] {
    guard phase != .closed else { return [] }
    lastLine = time
    guard let head = StreamHead(line) else { return phase == .live ? [.decode] : [] }
    switch (head.operation, phase) {
    case (.connection, .greeting):
      phase = .authentication
      return [.send(authentication())]
    case (.status, _): return status(head)
    case (.marketChange, .subscription), (.marketChange, .live):
      guard head.id == lastID else { return [] }
      if head.isWhole, let clock = head.clock, let initial = head.initialClock ?? position?.initialClock {
        position = StreamPosition(initialClock: initial, clock: clock)
      }
      return [.decode]
    default: return []
    }
  }

  private mutating func status(_ head: StreamHead) -> [Action] {
    guard head.isSuccess else {
      let failure =
        StreamErrorCode(rawValue: head.errorCode).map { Failure.refused($0, head.errorMessage) }
        ?? .refusedUnknown(head.errorCode)
      if failure.reaction == .startOver { position = nil }
      phase = .closed
      return [.close(failure)]
    }
    guard head.id == lastID else { return [] }
    switch phase {
    case .authentication:
      phase = .subscription
      lastID += 1
      return [.send(subscription.request(id: lastID, from: position))]
    case .subscription:
      phase = .live
      return [.subscribed(isContinued: position != nil)]
    case .closed, .greeting, .live: return []
    }
  }

  private mutating func authentication() -> [UInt8] {
    lastID += 1
    var json = JSONWriter()
    json.object { json in
      json.field("op", "authentication")
      json.field("id", lastID)
      json.field("appKey", appKey)
      json.field("session", token)
    }
    return json.bytes
  }
}

/// The part of a line that the session reads. The markets are skipped.
private struct StreamHead {
  var operation = StreamMessage.Operation.other
  var id: Int64?
  var isSuccess = false
  var errorCode = ""
  var errorMessage = ""
  var clock: String?
  var initialClock: String?
  var isWhole = true

  /// Returns nil if the line is no JSON object.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    var cursor = JSONCursor(line)
    do throws(JSONError) {
      try cursor.decodedFields { key, cursor throws(JSONError) in
        switch key {
        case "op":
          let operation = try cursor.textIfAny()
          self.operation =
            operation == "mcm"
            ? .marketChange
            : operation == "status" ? .status : operation == "connection" ? .connection : .other
        case "id": id = try cursor.number()
        case "statusCode": isSuccess = try cursor.textIfAny() == "SUCCESS"
        case "errorCode": errorCode = try cursor.textIfAny() ?? ""
        case "errorMessage": errorMessage = try cursor.textIfAny() ?? ""
        case "clk": clock = try cursor.textIfAny()
        case "initialClk": initialClock = try cursor.textIfAny()
        case "segmentType": isWhole = !["SEG_START", "SEG"].contains(try cursor.textIfAny() ?? "")
        default: try cursor.skip()
        }
      }
    } catch { return nil }
  }
}
