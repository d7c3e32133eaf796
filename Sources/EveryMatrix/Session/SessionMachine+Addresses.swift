import Localization
import OddsFeed
import OddsModel
import Platform

// Attempts, losses, and the address of the next attempt.
extension SessionMachine {
  /// Connects to the next address.
  mutating func connect(attempt: Int, _ step: inout SessionStep) {
    if rotation.isRoundOver {
      retryAfter = nil
      for address in failures.indices where !rotation.isRejected(address) { failures[address] = nil }
    }
    rotation.advance(chance: step.now.chance)
    open(attempt: attempt, &step)
  }

  /// Connects to the current address.
  mutating func open(attempt: Int, _ step: inout SessionStep) {
    link += 1
    counters.attempts += 1
    enter(.connecting(attempt: attempt, deadline: step.now.uptime + SessionTiming.requestTimeout), &step)
    step.actions.append(.connect(link: link))
  }

  /// Handles the loss of the connection or the failure of an attempt.
  ///
  /// The next address of the round is tried at once. After the round, the next one begins with a delay, or not at all
  /// if the errors of all addresses are terminal.
  ///
  /// NB: A session is a success if it lasted, not because it received a WELCOME or a dump. Otherwise all clients would
  /// reconnect at once, without end, to a server that fails right after sending them. The loss of a successful session
  /// begins a new round at once, except for a single address if `retriesAtOnce` is false. `retryAfter` is the time
  /// after which the peer wants to be asked again: the shortest one of a round is the least delay before the next. An
  /// address that gave none counts as zero.
  mutating func connectionEnded(
    _ why: FeedError, retriesAtOnce: Bool, isTerminal: Bool = false, retryAfter: Duration? = nil,
    _ step: inout SessionStep
  ) {
    let attempt: Int
    switch phase {
    case .connecting(let number, _), .handshaking(let number, _): attempt = number + 1
    case .open(let connection) where step.now.uptime - connection.since < RetryDelay.stableAfter:
      attempt = connection.attempt + 1
    case .open:
      let waits = addresses.count == 1 && !retriesAtOnce
      rotation.restart(triesCurrent: waits)
      failures = Array(repeating: nil, count: addresses.count)
      self.retryAfter = nil
      attempt = waits ? 2 : 1
    case .idle, .waiting, .failed, .over: return
    }
    failures[rotation.current] = why
    if isTerminal {
      rotation.rejectCurrent()
    } else {
      let wanted = retryAfter ?? .zero
      self.retryAfter = min(wanted, self.retryAfter ?? wanted)
    }
    table.lineLost()
    if rotation.isExhausted { return enter(.failed(.joined(failures.compactMap(\.self))), &step) }
    if !rotation.isRoundOver { return connect(attempt: attempt, &step) }
    let chance = step.now.chance
    let delay = RetryDelay.delay(beforeRetry: rotation.round - 1, atLeast: self.retryAfter ?? .zero, chance: chance)
    let why = FeedError.joined(failures.compactMap(\.self))
    let retry = Retry(attempt: attempt, time: step.now.wall(after: delay), reason: why)
    enter(.waiting(retry, until: step.now.uptime + delay), &step)
  }

  /// Returns an error that names the current address if the feed has several.
  func named(_ why: FeedError) -> FeedError {
    if addresses.count == 1 { return why }
    let message = LocalizedMessage(.problemReason, addresses[rotation.current].name, why.localizedMessage)
    return FeedError(message, remedy: why.localizedRemedy)
  }
}
