import Localization
import OddsFeed

extension BoardState {
  /// True if no price of the channel can be trusted.
  var isLocked: Bool { !staleness.grade.isTrusted }

  func connectionStatus(at now: FrameTime) -> ConnectionStatus {
    let matter = matter(at: now)
    return ConnectionStatus(prices: prices(matter, at: now), matter: matter)
  }

  /// Returns the status of the prices. Nil if there are no prices and an issue is shown instead.
  private func prices(_ matter: ConnectionStatus.ConnectionIssue?, at now: FrameTime) -> ConnectionStatus.Prices? {
    guard isLoaded || rows.count > 0 else { return matter == nil ? .live : nil }
    switch (source, staleness.grade) {
    case (.cache(let savedAt), _): return .cached(now.savedAt(savedAt))
    case (.polling, .delayed): return .polling
    // The stream is about to start; until then the connection's state is enough.
    case (.api, .delayed) where matter != nil: return nil
    // A final state of the connection already implies locked prices.
    case (_, .locked) where matter?.isFinal == true: return nil
    // Seconds are shown because the user waits for fresh prices.
    case (_, .delayed):
      let age = Age(age(of: lastSign ?? staleness.since, at: now), finely: countsSeconds)
      return isPipe ? .silent(age) : .delayed(age)
    case (_, .locked): return .locked(Age(age(of: staleness.since, at: now), finely: countsSeconds))
    // A closed channel has no prices to qualify.
    case (_, .closed): return nil
    case (_, .live), (_, .suspended): return matter == nil ? .live : nil
    }
  }

  private func matter(at now: FrameTime) -> ConnectionStatus.ConnectionIssue? {
    // The coarse steps of an age keep redraws rare. A source that stands in for the stream has an age of its own.
    let since = isStreamed ? Age(age(of: staleness.since, at: now)) : nil
    switch connection {
    case .idle: return .offline(since)
    case .connecting(let attempt): return .connecting(attempt: attempt)
    case .handshaking: return .handshaking
    case .recovering: return .recovering
    case .waiting(let retry): return .waiting(seconds: now.seconds(until: retry.at), attempt: retry.attempt)
    case .ended: return .ended(since)
    case .failed: return .failed(since)
    case .live: break
    }
    switch topic {
    case .maintenance(let retryAt): return .maintenance(seconds: now.seconds(until: retryAt))
    case .late: return .noAnswer
    case .retrying(_, let time): return .retrying(seconds: now.seconds(until: time))
    case .refused: return .refused
    case .requested where source != .stream || isPipe && isLocked && !isLoaded && rows.total == 0: return .loading
    case .requested, .live: return staleness.grade == .closed ? .ended(since) : nil
    }
  }

  /// False if the disk or the REST interface stands in for the stream.
  private var isStreamed: Bool { source == .stream || source == .none }

  /// True if the feed has no connection and no time of its own.
  var isPipe: Bool { rate == nil && !canReconnect && playback == nil }

  /// False in low-bandwidth mode, where a redraw every second costs too much.
  private var countsSeconds: Bool { !settings.isLowBandwidth }

  private func age(of time: Int64, at now: FrameTime) -> Duration { .milliseconds(max(0, now.wall - time)) }

  /// Returns the uptime at which the connection's status changes by itself; nil if it does not.
  func nextConnectionDeadline(after now: FrameTime) -> Duration? {
    let status = connectionStatus(at: now)
    var steps: [Duration] = []
    switch status.prices {
    case .delayed(let age), .silent(let age):
      steps.append(Age.end(of: age, finely: countsSeconds) - self.age(of: lastSign ?? staleness.since, at: now))
    case .locked(let age):
      steps.append(Age.end(of: age, finely: countsSeconds) - self.age(of: staleness.since, at: now))
    case .live, .polling, .cached, nil: break
    }
    switch status.matter {
    case .failed(let age), .offline(let age), .ended(let age):
      if isStreamed { steps.append(Age.end(of: age) - self.age(of: staleness.since, at: now)) }
    case .waiting(let seconds?, _):
      if case .waiting(let retry) = connection { steps.append(now.time(untilBelow: seconds, of: retry.at)) }
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

extension FrameTime {
  /// Returns the time of day for a wall time of today, or the age for an earlier day.
  fileprivate func savedAt(_ time: Int64) -> ConnectionStatus.SavedAt {
    isToday(time)
      ? .today(minute: local.minuteOfDay(time)) : .ago(Age(.milliseconds(max(0, wall - time))))
  }
}
