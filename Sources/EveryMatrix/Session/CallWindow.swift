/// The calls for dumps that are not answered yet. Only a limited number may be open.
///
/// Updates and the answer to a ping arrive after the dumps that were requested before, and a server may read the ping
/// only after it has answered the calls before it. With too many open calls the connection seems silent, and the last
/// calls time out.
///
/// A dump that arrives soon after its call raises the limit by one if the limit was reached. So the limit doubles with
/// each round trip. A later dump, or no answer in time, halves it. An answer that is not a dump leaves it as it is.
struct CallWindow {
  typealias Request = SubscriptionTable.Request

  private struct Call {
    let request: Request
    let sent: Duration
    var deadline: Duration
  }

  /// The first limit of a session, and the lowest one of a new connection. A board requests its channel, the open match
  /// and a pinned match or two at once.
  static let initialLimit = 4
  static let maxLimit = 64
  /// The time between a call and its dump up to which the limit grows.
  static let promptTime = Duration.seconds(1)

  private(set) var limit = CallWindow.initialLimit
  /// The open calls in the order of their deadlines.
  private var calls: [Call] = []

  /// True if another call may be sent.
  var hasRoom: Bool { calls.count < limit }

  /// The time at which the first call is given up; nil if none is open.
  var deadline: Duration? { calls.first?.deadline }

  mutating func sent(_ request: Request, at now: Duration) {
    calls.append(Call(request: request, sent: now, deadline: now + SessionTiming.requestTimeout))
  }

  /// Records the answer to a call. Has no effect if the call is not open.
  mutating func answered(_ request: Request, isDump: Bool, at now: Duration) {
    guard let index = calls.firstIndex(where: { $0.request == request }) else { return }
    let wasFull = !hasRoom
    let call = calls.remove(at: index)
    guard isDump else { return }
    if now - call.sent > Self.promptTime {
      halve()
    } else if wasFull {
      limit = min(Self.maxLimit, limit + 1)
    }
  }

  /// Extends the deadlines of all open calls.
  mutating func extend(at now: Duration) {
    for index in calls.indices { calls[index].deadline = now + SessionTiming.requestTimeout }
  }

  /// Gives up the calls that were not answered in time.
  mutating func expire(at now: Duration) {
    while let call = calls.first, call.deadline <= now {
      calls.removeFirst()
      halve()
    }
  }

  /// Forgets all calls, because the connection was lost. Half of the limit stays: it was learned from this feed.
  mutating func reset() {
    calls = []
    limit = max(Self.initialLimit, limit / 2)
  }

  private mutating func halve() { limit = max(1, limit / 2) }
}
