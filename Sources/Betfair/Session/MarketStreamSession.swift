import JSONText

/// The conversation with the stream, as a state machine without a clock and without a socket: lines and times go in,
/// lines to send and events come out. Times are since a fixed moment.
package struct MarketStreamSession: Sendable {
  package enum Action: Hashable, Sendable {
    /// The provider has said how many more connections the account can have now.
    case connectionsAvailable(Int64)
    /// Send a line; the end of the line has to be appended.
    case send([UInt8])
    /// The provider has accepted the subscription. With `isContinued`, it was asked to continue at a position.
    case subscribed(isContinued: Bool)
    /// Decode the received line.
    case decode
    /// The received line defines these markets. With `isImage`, all that is known of others is replaced.
    case defined([String], isImage: Bool)
    /// The state of all markets has arrived.
    case imaged
    /// A part of the received line cannot be read. Only an image has what is missing.
    case damaged
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
    /// A line cannot be read. It may have had changes, so the prices are not known.
    case unreadable

    package var reaction: StreamErrorCode.Reaction {
      switch self {
      case .refused(let code, _): code.reaction
      case .refusedUnknown, .silence, .unreadable: .retry
      }
    }
  }

  private enum Phase { case closed, greeting, authentication, subscription, live }

  /// The provider closes a connection on which the client says nothing for this time.
  static let answerTimeout = Duration.seconds(15)

  private let appKey: String
  private var subscription: MarketSubscription
  private var phase = Phase.closed
  private var token = ""
  private var lastID: Int64 = 0
  private var lastLine = Duration.zero
  /// The longest time between two messages by the provider's own word, in milliseconds.
  private var heartbeat: Int64?
  /// The time of the last part of a message whose end is missing; nil if there is none.
  private var lastPart: Duration?
  /// True from the first part of an image to its last.
  private var isInImage = false
  /// True if the state of all markets has arrived on this connection.
  private var hasImage = false
  /// True from the replacement of the subscription to its image.
  private var awaitsImage = false
  /// True from a line of which a part cannot be read to the next image.
  private var needsImage = false
  private var reader = StreamReader()
  private var message = StreamMessage()
  /// The position of the last whole message; nil before the first, after the provider has rejected it, while an image is
  /// needed, and from the first part of an image to its last: a connection that ends there begins with an image again.
  package private(set) var position: StreamPosition?

  package init(appKey: String, subscription: MarketSubscription) {
    self.appKey = appKey
    self.subscription = subscription
  }

  /// Begins a connection with the token of the account's session.
  package mutating func connected(token: String, at time: Duration) {
    self.token = token
    phase = .greeting
    heartbeat = nil
    lastPart = nil
    isInImage = false
    hasImage = false
    awaitsImage = false
    lastLine = time
  }

  /// Ends the connection. The position is kept for the next one.
  package mutating func disconnected() { phase = .closed }

  /// Subscribes again, so that an image comes. Returns the actions for an open connection.
  package mutating func askForImage() -> [Action] { replace(subscription) }

  /// Replaces the subscription, which then begins with an image. Returns the actions for an open connection.
  package mutating func replace(_ subscription: MarketSubscription) -> [Action] {
    self.subscription = subscription
    position = nil
    guard phase == .live || phase == .subscription else { return [] }
    awaitsImage = true
    lastPart = nil
    phase = .subscription
    lastID += 1
    return [.send(subscription.request(id: lastID, from: nil))]
  }

  /// The time at which `checkSilence(at:)` has to be called; nil if there is no connection.
  package var nextDeadline: Duration? { phase == .closed ? nil : min(lastLine, lastPart ?? lastLine) + timeout }

  private var timeout: Duration {
    // NB: While a subscription is replaced, the prices of the old one are still shown.
    guard phase == .live || hasImage else { return Self.answerTimeout }
    return .milliseconds(2 * min(max(heartbeat ?? subscription.heartbeat, 500), 5000))
  }

  /// Records a sign of life other than a line.
  package mutating func unread(at time: Duration) {
    lastLine = time
    if lastPart != nil { lastPart = time }
  }

  /// Gives up the connection if it is silent, or does not send the end of a message: for two heartbeats, or for the time of
  /// an answer.
  package mutating func checkSilence(at time: Duration) -> [Action] {
    guard let nextDeadline, time >= nextDeadline else { return [] }
    phase = .closed
    return [.close(.silence)]
  }

  /// Reads a received line.
  package mutating func receive(_ line: UnsafeBufferPointer<UInt8>, at time: Duration) -> [Action] {
    guard phase != .closed else { return [] }
    guard let head = StreamHead(line) else { return [.decode] + unreadable() }
    // NB: Lines of a replaced subscription, and heartbeats before the new image, do not keep the old prices live.
    if head.operation != .marketChange || head.id == lastID, !(awaitsImage && head.isHeartbeat) { lastLine = time }
    switch (head.operation, phase) {
    case (.connection, .greeting):
      phase = .authentication
      return [.send(authentication())]
    case (.status, _): return status(head)
    case (.marketChange, .subscription), (.marketChange, .live):
      // Without an id, the line can be of the subscription or of one before.
      guard let id = head.id else { return unreadable() }
      guard id == lastID else { return [] }
      heartbeat = head.heartbeat ?? heartbeat
      if head.isImage, head.isFirst {
        needsImage = false
        position = nil
      }
      let isDamaged = isPartMissing(before: head) || isDamaged(line)
      if !head.isHeartbeat { lastPart = head.isWhole ? nil : time }
      if isDamaged { needsImage = true }
      if needsImage {
        position = nil
      } else if head.isWhole, lastPart == nil, let clock = head.clock,
        let initial = head.initialClock ?? position?.initialClock
      {
        position = StreamPosition(initialClock: initial, clock: clock)
      }
      return [.decode] + image(head) + (isDamaged ? [.damaged] : [])
    // It has markets, so only its kind cannot be read.
    case (.other, .subscription) where head.hasMarkets, (.other, .live) where head.hasMarkets:
      return [.decode] + unreadable()
    default: return []
    }
  }

  /// Ends the connection because a line may have had changes. Only an image has what is missing.
  private mutating func unreadable() -> [Action] {
    phase = .closed
    position = nil
    return [.close(.unreadable)]
  }

  private func isPartMissing(before head: StreamHead) -> Bool {
    StreamMessage.isPartMissing(
      isFirst: head.isFirst, isUpdate: !head.isImage && !head.isResubscription && !head.isHeartbeat,
      isWithinMessage: lastPart != nil)
  }

  /// Returns true if the decoder cannot read a part of a line.
  private mutating func isDamaged(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    message.removeAll()
    var cursor = JSONCursor(line)
    do throws(JSONError) { _ = try reader.read(&cursor, into: &message) } catch { return true }
    return message.isDamaged || message.hasDamagedMarkets
  }

  private mutating func image(_ head: StreamHead) -> [Action] {
    var actions: [Action] = []
    let begins = head.isImage && head.isFirst
    if begins || !head.defined.isEmpty { actions.append(.defined(head.defined, isImage: begins)) }
    if head.isImage || head.isResubscription { isInImage = true }
    if isInImage, head.isWhole, !head.isHeartbeat {
      isInImage = false
      hasImage = true
      awaitsImage = false
      actions.append(.imaged)
    }
    return actions
  }

  private mutating func status(_ head: StreamHead) -> [Action] {
    guard head.isSuccess else {
      // The markets beyond the limit are missing; the others go on.
      if phase == .live, head.errorCode == StreamErrorCode.subscriptionLimit.rawValue { return [] }
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
      let request = Action.send(subscription.request(id: lastID, from: position))
      return (head.connectionsAvailable.map { [.connectionsAvailable($0)] } ?? []) + [request]
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
