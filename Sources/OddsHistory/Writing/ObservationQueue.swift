import OddsModel
import Platform

/// The observations that are not processed yet. A full queue keeps only the newest observation of each match, so its
/// memory is bounded by the number of matches, and its producers never wait.
final class ObservationQueue: Sendable {
  private struct State {
    var observations: [MatchObservation] = []
    /// The number of observations from which older ones of the same match are dropped.
    var limit: Int
    var dropped = 0
  }

  private struct Key: Hashable {
    let channel: Int
    let match: MatchID
  }

  private let limit: Int
  private let state: Locked<State>

  init(limit: Int) {
    self.limit = limit
    state = Locked(State(limit: limit))
  }

  func send(_ observations: [MatchObservation]) {
    state.withLock { state in
      state.observations += observations
      if state.observations.count <= state.limit { return }
      let count = state.observations.count
      Self.conflate(&state.observations)
      state.dropped += count - state.observations.count
      // At least as many must follow before the next pass, so a pass costs a constant time per observation.
      state.limit = max(limit, 2 * state.observations.count)
    }
  }

  /// Removes and returns the observations, and the number of those dropped since the last call.
  func drain() -> (observations: [MatchObservation], dropped: Int) {
    state.withLock { state in
      defer { state = State(limit: limit) }
      return (state.observations, state.dropped)
    }
  }

  /// Removes the observations of a match that a later one of the same channel makes obsolete. The end of a channel
  /// makes all earlier ones of the channel obsolete.
  private static func conflate(_ observations: inout [MatchObservation]) {
    var seen: Set<Key> = []
    var ended: Set<Int> = []
    var kept: [MatchObservation] = []
    for observation in observations.reversed() {
      if ended.contains(observation.channel) { continue }
      switch observation.content {
      case .match(let match):
        if seen.insert(Key(channel: observation.channel, match: match.id)).inserted { kept.append(observation) }
      case .removed(let id):
        if seen.insert(Key(channel: observation.channel, match: id)).inserted { kept.append(observation) }
      case .unknown, .lost:
        ended.insert(observation.channel)
        kept.append(observation)
      }
    }
    observations = kept.reversed()
  }
}
