import JSONText
import OddsFeed

/// The conversation with the stream, as a state machine without a clock and without a socket: lines and times go in,
/// actions come out. Times are since a fixed moment.
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
    /// A part of the received line cannot be read, or it changes a market without an image. Only an image makes the
    /// market complete again.
    case damaged
    /// The provider leaves out the markets that are more than a subscription can have.
    case limited
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

  enum Phase { case closed, greeting, authentication, subscription, live }

  /// The time limit for the provider's greeting and for each answer, until prices are shown. The provider itself closes
  /// a connection on which the client sends nothing for this time.
  static let answerTimeout = Duration.seconds(15)
  /// The time after which the bytes of a line, or the parts of a message, are no sign of life any more.
  private static let unfinishedLimit = Duration.seconds(30)

  private let appKey: String
  var subscription: MarketSubscription
  var phase = Phase.closed
  private var token = ""
  var lastID: Int64 = 0
  /// The time of the last sign of life: a whole line, a part of one, or lines that are not read.
  var lastLine = Duration.zero
  /// The time of the last whole line. Parts of a line, and lines that are not read, do not change it.
  var lastSign = Duration.zero
  /// The longest time between two messages, in milliseconds, as the provider states it; nil before it does.
  var heartbeat: Int64?
  /// The time of the last part of a message whose end is missing; nil if there is none.
  var lastPart: Duration?
  /// True from the first part of an image to its last.
  var isInImage = false
  /// True if the state of all markets has arrived on this connection.
  var hasImage = false
  /// True from the replacement of the subscription to its image.
  var awaitsImage = false
  /// True from a line that is damaged to the next image.
  var needsImage = false
  var reader = StreamReader()
  /// The last line.
  var message = StreamMessage()
  /// The markets that the decoder has.
  var markets = MarketIndex(requiresImages: true)
  var unfinished = UnfinishedMessage(limit: Self.unfinishedLimit)
  /// The time for which parts of messages arrive without a whole message, while prices are shown.
  private var unfinishedParts = UnfinishedMessage(limit: Self.unfinishedLimit)
  /// The position of the last whole message; nil before the first, after the provider has rejected it, while an image
  /// is needed, and from the first part of an image to its last: a connection that ends there begins with an image
  /// again.
  package internal(set) var position: StreamPosition?

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
    lastSign = time
    unfinished.reset()
    unfinishedParts.reset()
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

  /// The time from which the prices of the connection are delayed, because it is silent; nil if there is no connection,
  /// or if it has had no image.
  var overdueAt: Duration? { phase == .closed || !hasImage ? nil : lastSign + BetfairTiming.overdue }

  private var timeout: Duration {
    // NB: While a subscription is replaced, the prices of the old one are still shown.
    guard phase == .live || hasImage else { return Self.answerTimeout }
    return .milliseconds(2 * min(max(heartbeat ?? subscription.heartbeat, 500), 5000))
  }

  /// Records that lines are not read, because the reader lags behind.
  package mutating func unread(at time: Duration) {
    unfinished.reset()
    unfinishedParts.reset()
    signOfLife(at: time)
  }

  /// Records that a part of a line has arrived. A line that takes 30 s is no sign of life any more.
  package mutating func partArrived(at time: Duration) {
    if unfinished.partArrived(at: time) { signOfLife(at: time) }
  }

  private mutating func signOfLife(at time: Duration) {
    lastLine = time
    if lastPart != nil { messagePartArrived(at: time) }
  }

  /// Records that a part of a message in parts has arrived. Prices that are shown are from before the message, so a
  /// message that takes 30 s is no sign of life any more.
  mutating func messagePartArrived(at time: Duration) {
    let isSign = !hasImage || unfinishedParts.partArrived(at: time)
    lastPart = isSign ? time : lastPart ?? time
  }

  /// Records that a whole message has arrived.
  mutating func messageEnded() {
    lastPart = nil
    unfinishedParts.reset()
  }

  /// Gives up the connection if it is silent, or does not send the end of a message: for two heartbeats, or for the
  /// time of an answer.
  package mutating func checkSilence(at time: Duration) -> [Action] {
    guard let nextDeadline, time >= nextDeadline else { return [] }
    phase = .closed
    return [.close(.silence)]
  }

  mutating func authentication() -> [UInt8] {
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
