/// A match of the book with its markets. Its id opens a block of ids, from which those of its event infos and
/// participants follow.
package struct SimulatedMatch: Sendable {
  /// Where a match is between being announced and being gone. Times are in milliseconds since 1970.
  enum Phase: Sendable {
    case upcoming
    case live(nextBeat: Int64, suspendedUntil: Int64?)
    case ended(removal: Int64)
  }

  package let id: Int64
  package let fixture: Fixture
  /// In milliseconds since 1970.
  package let startTime: Int64
  /// How much better the home side is over a whole match, in goals, points or games.
  let edge: Double
  /// Scoring, as a factor of the usual.
  let tempo: Double
  /// The share of the price that the house keeps.
  let margin: Double
  var phase = Phase.upcoming
  var play: MatchProgress
  /// One of each `MarketKind`, in that order.
  var markets: [SimulatedMarket] = []

  package var sport: SimulatedSport { fixture.sport }
  package var name: String { "\(fixture.home) - \(fixture.away)" }
  var outlook: ProbabilityModel { ProbabilityModel(play: play, edge: edge, tempo: tempo) }

  var homeParticipantID: Int64 { id + 8 }
  var awayParticipantID: Int64 { id + 9 }

  var isUpcoming: Bool {
    if case .upcoming = phase { true } else { false }
  }

  var isLive: Bool {
    if case .live = phase { true } else { false }
  }

  var isSuspended: Bool {
    if case .live(_, .some) = phase { true } else { false }
  }

  var head: MatchStatusFields {
    switch phase {
    case .upcoming: MatchStatusFields(status: .pending, partName: nil)
    case .live: MatchStatusFields(status: .inProgress, partName: play.partName)
    case .ended: MatchStatusFields(status: .ended, partName: nil)
    }
  }

  /// When something happens to the match by itself next.
  var due: Int64 {
    switch phase {
    case .upcoming: startTime
    case .live(let nextBeat, let suspendedUntil): min(nextBeat, suspendedUntil ?? .max)
    case .ended(let removal): removal
    }
  }

  /// None before the match starts.
  var infos: [EventInfo] {
    guard !isUpcoming else { return [] }
    return [info(.score), info(.server), info(.status), info(.minute)].compactMap(\.self)
  }

  /// Nil where the sport has no such thing.
  func info(_ kind: EventInfo.Kind) -> EventInfo? {
    switch kind {
    case .score:
      EventInfo(id: id + 1, kind: kind, first: Int64(play.score.home), second: Int64(play.score.away))
    case .server where sport == .tennis:
      EventInfo(id: id + 2, kind: kind, first: play.homeServes ? homeParticipantID : awayParticipantID)
    case .server:
      nil
    case .status:
      EventInfo(id: id + 3, kind: kind, first: Int64(play.part + 1))
    case .minute:
      play.minute.map { EventInfo(id: id + 4, kind: kind, first: Int64($0)) }
    }
  }
}
