import OddsFeed
import OddsModel

// Effects of elapsed time, and signs of life.
extension SessionMachine {
  mutating func timePassed(_ now: SessionMoment, _ actions: inout [SessionAction]) {
    switch phase {
    case .connecting(_, let deadline) where now.uptime >= deadline,
      .handshaking(_, let deadline) where now.uptime >= deadline:
      actions.append(.close(code: CloseCode.normal))
      connectionEnded(.noHandshake, retriesAtOnce: false, now, &actions)
    case .waiting(let retry, let until) where now.uptime >= until: connect(attempt: retry.attempt, now, &actions)
    case .open(var line):
      if now.uptime >= line.pingAt {
        if line.missed >= SessionTiming.mostMissed { return silent(now, &actions) }
        line.missed += 1
        line.pingAt = now.uptime + SessionTiming.heartbeat
        phase = .open(line)
        actions.append(.ping)
      }
      table.timePassed(now, &actions)
    case .idle, .connecting, .handshaking, .waiting, .failed, .over: break
    }
  }

  mutating func silent(_ now: SessionMoment, _ actions: inout [SessionAction]) {
    actions.append(.close(code: CloseCode.normal))
    connectionEnded(.silent, retriesAtOnce: true, now, &actions)
  }

  mutating func signOfLife() {
    guard case .open(var line) = phase, line.missed > 0 else { return }
    line.missed = 0
    phase = .open(line)
  }
}
