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
      if step.now.uptime >= line.pingAt {
        if line.missed >= SessionTiming.maxMissed { return silent(&step) }
        line.missed += 1
        line.pingAt = step.now.uptime + SessionTiming.heartbeat
        phase = .open(line)
        step.actions.append(.ping)
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
}
