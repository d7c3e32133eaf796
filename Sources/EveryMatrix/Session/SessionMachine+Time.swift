import OddsFeed
import OddsModel

// Effects of elapsed time, and signs of life.
extension SessionMachine {
  mutating func timePassed(_ step: inout SessionStep) {
    switch phase {
    case .connecting(_, let deadline) where step.now.uptime >= deadline,
      .handshaking(_, let deadline) where step.now.uptime >= deadline:
      step.actions.append(.close(code: CloseCode.normal))
      connectionEnded(named(.noHandshake), retriesAtOnce: false, &step)
    case .waiting(let retry, let until) where step.now.uptime >= until: connect(attempt: retry.attempt, &step)
    case .open(var line):
      if step.now.uptime >= line.pings.nextAt {
        let isUnanswered = line.pings.expire(at: step.now.uptime)
        answersPings = line.pings.isAwaited
        if isUnanswered || line.missed >= SessionTiming.maxMissed { return silent(&step) }
        line.missed += 1
        step.actions.append(.ping(line.pings.ping(at: step.now.uptime)))
        phase = .open(line)
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
    guard case .open(var line) = phase, line.missed > 0 else { return }
    line.missed = 0
    phase = .open(line)
  }

  /// Records the answer to a ping. Returns true if it answers one.
  mutating func answerPing(_ number: UInt64?, at now: Duration) -> Bool {
    guard case .open(var line) = phase else { return false }
    let isAnswer = line.pings.answer(number, at: now)
    answersPings = line.pings.isAwaited
    phase = .open(line)
    return isAnswer
  }

  /// Returns the time for which data that arrives now may have waited on its way.
  func delay(at now: Duration) -> Duration {
    guard case .open(let line) = phase else { return .zero }
    return line.pings.delay(at: now)
  }
}
