import OddsModel

/// The state of the connection, of the current channel's topic and of the channel's data.
struct Connection: Sendable {
  enum Action {
    case channelUpdated(ChannelUpdate)
    /// Another channel is open, of which nothing is known yet. The connection stays.
    case channelOpened
  }

  /// The values that the status depends on besides the connection.
  struct Context {
    /// True if the feed has no connection and no time of its own.
    var isPipe: Bool
    /// False in low-bandwidth mode, where a redraw every second costs too much.
    var countsSeconds: Bool
    /// The number of shown matches, and of all.
    var shown: Int
    var total: Int
  }

  private(set) var state = ConnectionState.idle
  private(set) var topic = TopicState.requested
  private(set) var source = DataSource.none
  /// The reason for the lost connection, kept until it is up again: an attempt to reconnect carries no reason.
  private var error: FeedError?
  /// The reason why the REST interface does not answer.
  private var apiError: FeedError?
  /// The freshness of the channel's prices. No row is fresher than its channel.
  private(set) var freshness = Freshness(.locked, since: 0)
  /// The time of the last sign of life of a connection whose prices are delayed, in milliseconds since 1970.
  private var lastSign: Int64?
  /// False until the channel's first dump has been received.
  private(set) var isLoaded = false
  private(set) var openedAt = Duration.zero

  /// True if no price of the channel can be trusted.
  var isLocked: Bool { !freshness.grade.isTrusted }

  /// True if prices can be shown as live: the channel is not locked, and the provider does not say that they are late.
  var isTrusted: Bool { freshness.isTrusted }

  mutating func reduce(_ action: Action, now: FrameTime) {
    switch action {
    case .channelUpdated(let update):
      state = update.connection
      topic = update.topic
      source = update.source
      apiError = update.apiProblem
      freshness = update.freshness
      lastSign = update.lastSign
      isLoaded = update.isLoaded
      switch update.connection {
      case .waiting(let retry): error = retry.reason
      case .failed(let why): error = why
      case .connecting, .handshaking: break
      case .idle, .live, .recovering, .ended: error = nil
      }
    case .channelOpened:
      topic = .requested
      source = .none
      apiError = nil
      freshness = Freshness(.locked, since: now.wall)
      lastSign = nil
      isLoaded = false
      openedAt = now.uptime
    }
  }

  /// The errors, the worst first: the connection's, the channel topic's, and that of the REST interface.
  var problems: [FeedError] {
    var topicError: FeedError?
    switch topic {
    case .refused(let why), .retrying(let why, _): if state.isUp { topicError = why }
    case .requested, .live, .overdue, .maintenance, .late: break
    }
    var problems = [error, topicError].compactMap(\.self)
    // A remedy already listed is not repeated: both errors usually concern the same server.
    if let apiError, !problems.contains(where: { $0.localizedRemedy == apiError.localizedRemedy }) {
      problems.append(apiError)
    }
    return problems
  }

  func status(_ context: Context, now: FrameTime) -> ConnectionStatus {
    let issue = issue(context, now: now)
    return ConnectionStatus(prices: prices(issue, context, now: now), issue: issue)
  }

  /// Returns the status of the prices. Nil if there are no prices and an issue is shown instead.
  private func prices(
    _ issue: ConnectionStatus.Issue?, _ context: Context, now: FrameTime
  ) -> ConnectionStatus.Prices? {
    guard isLoaded || context.shown > 0 else { return issue == nil ? .live : nil }
    switch (source, freshness.grade) {
    case (.cache(let time), _):
      let isToday = now.isToday(time)
      return .cached(isToday ? .today(minute: now.local.minuteOfDay(time)) : .ago(Age(age(of: time, now: now))))
    case (.polling, .delayed): return .polling
    // The stream is about to start; until then the connection's state is enough.
    case (.api, .delayed) where issue != nil: return nil
    // A final state of the connection already implies locked prices.
    case (_, .locked) where issue?.isFinal == true: return nil
    case (_, .delayed) where freshness.cause != nil, (_, .locked) where freshness.cause != nil && issue == nil:
      return freshness.cause.map { .impaired($0) }
    // Seconds are shown because the user waits for fresh prices.
    case (_, .delayed):
      let age = Age(age(of: lastSign ?? freshness.since, now: now), finely: context.countsSeconds)
      return context.isPipe ? .silent(age) : .delayed(age)
    case (_, .locked): return .locked(Age(age(of: freshness.since, now: now), finely: context.countsSeconds))
    // A closed channel has no prices to qualify.
    case (_, .closed): return nil
    case (_, .live), (_, .suspended): return issue == nil ? .live : nil
    }
  }

  private func issue(_ context: Context, now: FrameTime) -> ConnectionStatus.Issue? {
    // The coarse steps of an age keep redraws rare. A source that stands in for the stream has an age of its own.
    let since = isStreamed ? Age(age(of: freshness.since, now: now)) : nil
    switch state {
    case .idle: return .offline(since)
    case .connecting(let attempt): return .connecting(attempt: attempt)
    case .handshaking: return .handshaking
    case .recovering: return .recovering
    case .waiting(let retry): return .waiting(seconds: now.seconds(until: retry.time), attempt: retry.attempt)
    case .ended: return .ended(since)
    case .failed: return .failed(since)
    case .live: break
    }
    switch topic {
    case .maintenance(let retryAt): return .maintenance(seconds: now.seconds(until: retryAt))
    case .late: return .noAnswer
    case .retrying(_, let time): return .retrying(seconds: now.seconds(until: time))
    case .refused: return .refused
    case .requested where source != .stream || context.isPipe && isLocked && !isLoaded && context.total == 0:
      return .loading
    case .requested, .live, .overdue: return freshness.grade == .closed ? .ended(since) : nil
    }
  }

  /// False if the disk or the REST interface stands in for the stream.
  private var isStreamed: Bool { source == .stream || source == .none }

  private func age(of time: Int64, now: FrameTime) -> Duration { .milliseconds(max(0, now.wall - time)) }

  /// Returns the uptime at which the status changes by itself; nil if it does not.
  func nextDeadline(_ context: Context, after now: FrameTime) -> Duration? {
    let status = status(context, now: now)
    var steps: [Duration] = []
    switch status.prices {
    case .delayed(let age), .silent(let age):
      steps.append(
        Age.end(of: age, finely: context.countsSeconds) - self.age(of: lastSign ?? freshness.since, now: now))
    case .locked(let age):
      steps.append(Age.end(of: age, finely: context.countsSeconds) - self.age(of: freshness.since, now: now))
    case .live, .impaired, .polling, .cached, nil: break
    }
    switch status.issue {
    case .failed(let age), .offline(let age), .ended(let age):
      if isStreamed { steps.append(Age.end(of: age) - self.age(of: freshness.since, now: now)) }
    case .waiting(let seconds?, _):
      if case .waiting(let retry) = state { steps.append(now.time(untilBelow: seconds, of: retry.time)) }
    case .maintenance(let seconds?):
      if case .maintenance(let retryAt) = topic { steps.append(now.time(untilBelow: seconds, of: retryAt)) }
    case .retrying(let seconds?):
      if case .retrying(_, let retryAt) = topic { steps.append(now.time(untilBelow: seconds, of: retryAt)) }
    case .connecting, .handshaking, .recovering, .loading, .waiting, .maintenance, .noAnswer, .retrying, .refused, nil:
      break
    }
    return steps.min().map { now.uptime + $0 }
  }
}
