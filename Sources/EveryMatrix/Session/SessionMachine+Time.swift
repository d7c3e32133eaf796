import OddsFeed
import OddsModel
import Platform

// Effects of elapsed time, and signs of life.
extension SessionMachine {
  mutating func timePassed(_ step: inout SessionStep) {
    switch phase {
    case .connecting(_, let deadline) where step.now.uptime >= deadline,
      .handshaking(_, let deadline) where step.now.uptime >= deadline:
      step.actions.append(.close(code: CloseCode.normal))
      connectionEnded(named(.noHandshake), retriesAtOnce: false, &step)
    case .waiting(let retry, let until) where step.now.uptime >= until: connect(attempt: retry.attempt, &step)
    case .open(var connection):
      if step.now.uptime >= connection.pings.nextAt {
        let isUnanswered = connection.pings.expire(at: step.now.uptime)
        answersPings = connection.pings.isAwaited
        if isUnanswered || connection.missed >= SessionTiming.maxMissed { return silent(&step) }
        connection.missed += 1
        step.actions.append(.ping(connection.pings.ping(at: step.now.uptime)))
        phase = .open(connection)
      }
      table.timePassed(&step)
    case .idle, .connecting, .handshaking, .waiting, .failed, .over: break
    }
  }

  mutating func silent(_ step: inout SessionStep) {
    step.actions.append(.close(code: CloseCode.normal))
    connectionEnded(named(.silent), retriesAtOnce: true, &step)
  }

  mutating func signOfLife() {
    guard case .open(var connection) = phase, connection.missed > 0 else { return }
    connection.missed = 0
    phase = .open(connection)
  }

  /// Records the answer to a ping. Returns true if it answers one in time.
  mutating func answerPing(_ number: UInt64?, at now: Duration) -> Bool {
    guard case .open(var connection) = phase else { return false }
    let isAnswer = connection.pings.answer(number, at: now)
    answersPings = connection.pings.isAwaited
    phase = .open(connection)
    return isAnswer && !connection.pings.isSlow(at: now)
  }

  /// Returns the time for which data that arrives now may have waited on its way.
  func delay(at now: Duration) -> Duration {
    guard case .open(let connection) = phase else { return .zero }
    return connection.pings.delay(at: now)
  }

  /// The time before which the server sent nothing that has not arrived; nil without a connection.
  var completeUntil: Duration? {
    guard case .open(let connection) = phase else { return nil }
    return connection.pings.completeUntil
  }
}
