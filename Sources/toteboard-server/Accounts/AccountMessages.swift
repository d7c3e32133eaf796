import AccountModel
import FeedFanOut
import FeedSimulator
import FoundationCore
import NIOCore
import OddsModel

/// A request of a gateway, and the time until which the gateway waits for the answer. JSON on the wire.
struct BookCall: Hashable, Codable, Sendable {
  /// The maximum size of a call in bytes.
  static let maxSize = 4096

  let request: BookRequest
  /// The request is not begun in another term, or later by the wall clock of the book. Nil if it is not answered.
  let deadline: BookTime?

  init(_ request: BookRequest, deadline: BookTime? = nil) {
    self.request = request
    self.deadline = deadline
  }

  /// Decodes a call. Returns nil if a text is longer than 64 bytes or a number cannot be calculated with.
  init?(_ payload: ByteBuffer) {
    guard payload.readableBytes <= Self.maxSize,
      let call = AccountJSON.decode(Self.self, from: payload), call.request.isValid
    else { return nil }
    self = call
  }

  var encoded: ByteBuffer { ByteBuffer(bytes: AccountJSON.encode(self)) }
}

/// A request of a gateway to the book of the accounts.
enum BookRequest: Hashable, Codable, Sendable {
  /// Counts an attempt to log in. Answered with `counted` or `refused`.
  case attempt(user: String, address: String)
  /// The password of an attempt was wrong. Not answered.
  case failed(attempt: UInt64)
  /// An attempt is not counted any more. Not answered.
  case takenBack(attempt: UInt64)
  /// Answered with `session`. `timeToLive` is in milliseconds.
  case logIn(user: String, timeToLive: Int64)
  case renew(session: String, timeToLive: Int64)
  /// Answered with `ended`.
  case end(session: String, EndCause)
  case endAll(user: String?, EndCause)
  /// Answered with `wallet`.
  case wallet(player: String)
  /// Answered with `posted`, `unknown`, `tooMuch` or `differs`.
  case post(user: String, hundredths: Int64, key: String?)

  /// The maximum lifetime of a session, in milliseconds: 366 days.
  static let maxTimeToLive: Int64 = 366 * 86_400_000

  /// True if the texts have at most 64 bytes and the numbers can be calculated with.
  var isValid: Bool {
    func isShort(_ text: String) -> Bool { 1...64 ~= text.utf8.count }
    switch self {
    case .attempt(let user, let address): return isShort(user) && address.utf8.count <= 64
    case .failed, .takenBack: return true
    case .logIn(let text, let time), .renew(let text, let time): return isShort(text) && 1...Self.maxTimeToLive ~= time
    case .end(let text, _), .wallet(let text): return isShort(text)
    case .endAll(let user, _): return user.map(isShort) ?? true
    case .post(let user, let hundredths, let key):
      let limit = AccountHub.maxPosting
      return isShort(user) && -limit...limit ~= hundredths && key.map(isShort) ?? true
    }
  }
}

/// The book's answer to a request.
enum BookReply: Hashable, Codable, Sendable {
  /// `delay` is in milliseconds.
  case counted(attempt: UInt64, delay: Int64)
  /// `wait` is in milliseconds.
  case refused(wait: Int64)
  /// The session; nil if it is over, or if too many are open.
  case session(PlayerSession?)
  case ended(Int)
  case wallet(WalletRecord?)
  case posted(WalletRecord)
  case unknown
  case tooMuch
  /// The key of a posting was used for another amount.
  case differs
  /// The book cannot carry the request out now.
  case unavailable
  /// The request was for another term and is not carried out. The value is the time of the book in this term.
  case otherTerm(BookTime)

  /// Decodes a reply. Returns nil if it is malformed, or a number cannot be calculated with.
  init?(_ payload: ByteBuffer) {
    guard let reply = AccountJSON.decode(Self.self, from: payload) else { return nil }
    switch reply {
    case .session(let session?) where !session.isValid: return nil
    case .counted(_, let time) where !(0...86_400_000 ~= time): return nil
    case .refused(let time) where !(0...86_400_000 ~= time): return nil
    case .otherTerm(let now) where !(0...Int64(1) << 53 ~= now.time): return nil
    default: self = reply
    }
  }

  var encoded: ByteBuffer { ByteBuffer(bytes: AccountJSON.encode(self)) }
}

/// The reason why a session ends.
enum EndCause: String, Hashable, Codable, Sendable, CaseIterable {
  case logout, expired, kicked, terminated

  init(_ cause: SessionEnd.Cause?) {
    switch cause {
    case nil: self = .logout
    case .expired?: self = .expired
    case .kicked?: self = .kicked
    default: self = .terminated
    }
  }

  /// Nil for a logout.
  var cause: SessionEnd.Cause? {
    switch self {
    case .logout: nil
    case .expired: .expired
    case .kicked: .kicked
    case .terminated: .terminated
    }
  }
}

/// A wallet on the wire.
struct WalletRecord: Hashable, Codable, Sendable {
  let currency: String
  let real: Decimal
  let bonus: Decimal

  init(_ wallet: Wallet) {
    currency = wallet.currency
    real = wallet.real
    bonus = wallet.bonus
  }

  var wallet: Wallet { Wallet(currency: currency, real: real, bonus: bonus) }
}

/// An event of a player's account streams.
struct EventRecord: Hashable, Codable, Sendable {
  let id: UInt64
  let session: String?
  let data: String

  init(_ event: AccountEvent) {
    id = event.id
    session = event.session
    data = String(decoding: event.data, as: UTF8.self)
  }

  /// The event; nil if it cannot be one: a line break would end it early on a stream.
  var event: AccountEvent? {
    guard 1...UInt64(1) << 53 ~= id, data.utf8.allSatisfy({ $0 >= 0x20 }) else { return nil }
    return AccountEvent(id: id, session: session, data: Array(data.utf8))
  }
}

/// A change of the open sessions: a message of the topic `AccountTopics.sessions`.
enum SessionChange: Hashable, Codable, Sendable {
  /// A session began or was renewed.
  case open(PlayerSession)
  case ended(EndedSession)
}

/// The end of a session on the wire.
struct EndedSession: Hashable, Codable, Sendable {
  let id: String
  let cause: EndCause
  /// The last event of the session's streams; nil for a logout.
  let event: EventRecord?
}

/// A dump of the topic `AccountTopics.sessions`.
struct SessionDump: Hashable, Codable, Sendable {
  let sessions: [PlayerSession]
  /// The sessions that ended last.
  let ended: [EndedSession]
}

/// A dump of the topic of a player. Its messages are of type `EventRecord`.
struct PlayerDump: Hashable, Codable, Sendable {
  /// The id of the last event.
  let last: UInt64
  /// The latest events.
  let events: [EventRecord]

  /// The maximum size of the events' texts in bytes: as much as a stream begins with.
  static let maxBytes = AccountHub.Limits().unreadBytes / 2
}

/// The topics of the accounts. Gateways follow them as they follow those of the feed: by offset, with a new dump after
/// a gap or a takeover.
enum AccountTopics {
  static let sessions = Topic(path: "sessions")
  private static let playerPrefix = "player/"

  static func player(_ id: String) -> Topic { Topic(path: playerPrefix + id) }

  /// Returns the player of a topic; nil if it is not a player's.
  static func player(of topic: Topic) -> String? {
    topic.path.hasPrefix(playerPrefix) ? String(topic.path.dropFirst(playerPrefix.count)) : nil
  }
}
