import FeedNetwork
import Localization
import OddsModel
import Platform

/// Sends alerts to a webhook, one at a time in their order. Retries an alert a few times if its request fails.
final class WebhookRunner: Sendable {
  /// The longest time that an alert waits for those before it. After that it is dropped as outdated.
  static let maxAge = Duration.seconds(300)
  /// The pauses before the second and each further attempt.
  static let pauses: [Duration] = [.seconds(1), .seconds(4), .seconds(16)]
  /// The longest pause that a service can ask for.
  static let maxPause = Duration.seconds(60)
  /// The time that alerts have to be sent at the end of the program. A cancelled request has the same time to end.
  private static let closeTimeout = Duration.milliseconds(500)

  private struct State {
    var waiting: [(entry: AlertLogEntry, since: Duration)] = []
    /// The number of alerts dropped since the last note, and the last of them.
    var dropped = 0
    var lastDropped: AlertLogEntry?
    /// The task that sends; nil while nothing waits.
    var task: Task<Void, Never>?
    var isStopped = false

    /// Drops the oldest of the alerts that wait.
    mutating func drop(_ count: Int) {
      if count == 0 { return }
      dropped += count
      lastDropped = waiting[count - 1].entry
      waiting.removeFirst(count)
    }
  }

  private let client: WebhookClient
  private let site: String
  private let maxWaiting: Int
  private let clock: ClientClock
  private let note: @Sendable (LocalizedMessage, AlertLogEntry) -> Void
  private let state = Locked(State())

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - site: The name of the webhook in notes.
  ///   - maxWaiting: The greatest number of alerts that wait. If there are more, the oldest are dropped.
  ///   - note: Called, on any thread, with a message about the request of an alert.
  init(
    _ client: WebhookClient, site: String, maxWaiting: Int = 1000, clock: ClientClock,
    note: @escaping @Sendable (LocalizedMessage, AlertLogEntry) -> Void
  ) {
    self.client = client
    self.site = site
    self.maxWaiting = maxWaiting
    self.clock = clock
    self.note = note
  }

  /// Sends an alert after those before it. Returns at once.
  func run(_ entry: AlertLogEntry) {
    let now = clock.uptime()
    state.withLock { state in
      if state.isStopped { return }
      state.waiting.append((entry, now))
      state.drop(max(0, state.waiting.count - maxWaiting))
      if state.task == nil { state.task = Task.detached { await self.sendWaiting() } }
    }
  }

  /// Gives the alerts that wait a short time to be sent, then ends the request in progress. Alerts that follow are
  /// dropped.
  func finish() async {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task
    }
    if let task { await within(Self.closeTimeout) { await task.value } }
    task?.cancel()
    await within(Self.closeTimeout) { [client] in
      await client.shutDown()
      // Waits for the notes about alerts that were not sent.
      await task?.value
    }
  }

  private func sendWaiting() async {
    while true {
      let (entry, dropped, lastDropped) = next()
      if let lastDropped { note(LocalizedMessage(.webhookDropped, dropped), lastDropped) }
      guard let entry else { return }
      await send(entry)
    }
  }

  /// Removes and returns the oldest alert that is not out of date; nil if none waits, or the program ends. Also returns
  /// the number of those dropped, and the last of them.
  private func next() -> (entry: AlertLogEntry?, dropped: Int, lastDropped: AlertLogEntry?) {
    let limit = clock.uptime() - Self.maxAge
    return state.withLock { state in
      let isFresh = { (since: Duration) in since >= limit && !Task.isCancelled }
      state.drop(state.waiting.firstIndex { isFresh($0.since) } ?? state.waiting.count)
      let (dropped, lastDropped) = (state.dropped, state.lastDropped)
      state.dropped = 0
      state.lastDropped = nil
      if state.waiting.isEmpty {
        state.task = nil
        return (nil, dropped, lastDropped)
      }
      return (state.waiting.removeFirst().entry, dropped, lastDropped)
    }
  }

  /// The result of one attempt.
  private enum Attempt {
    case sent
    /// Another attempt may succeed, after at least that time.
    case failed(LocalizedMessage, pause: Duration)
    /// No further attempt can succeed.
    case refused(LocalizedMessage)
  }

  private func send(_ entry: AlertLogEntry) async {
    let body = entry.json
    for number in 0...Self.pauses.count {
      switch await attempt(body) {
      case .sent: return
      case .refused(let reason): return note(LocalizedMessage(.webhookUnsent, number + 1, reason), entry)
      case .failed(let reason, let pause):
        let isLast = number == Self.pauses.count || state.withLock(\.isStopped) || Task.isCancelled
        if isLast { return note(LocalizedMessage(.webhookUnsent, number + 1, reason), entry) }
        await clock.sleep(clock.uptime() + max(Self.pauses[number].jittered(chance: clock.chance()), pause))
        if Task.isCancelled { return note(LocalizedMessage(.webhookUnsent, number + 1, reason), entry) }
      }
    }
  }

  private func attempt(_ body: [UInt8]) async -> Attempt {
    let answer: WebhookAnswer
    do throws(ConnectionError) { answer = try await client.post(body) } catch {
      let reason = error.problem.localizedMessage
      return error.kind == .untrusted ? .refused(reason) : .failed(reason, pause: .zero)
    }
    if 200..<300 ~= answer.status { return .sent }
    let name = LocalizedMessage(.quotedWords, site)
    if let redirect = answer.redirect {
      return .refused(LocalizedMessage(.webhookRedirect, name, answer.statusText, redirect))
    }
    let status = LocalizedMessage(.webhookAnswer, name, answer.statusText)
    let reason = answer.text.isEmpty ? status : LocalizedMessage(.alertOfMatch, status, answer.text)
    switch answer.status {
    case 408, 425, 429, 500...:
      return .failed(reason, pause: min(.seconds(answer.retryAfter ?? 0), Self.maxPause))
    default: return .refused(reason)
    }
  }
}
