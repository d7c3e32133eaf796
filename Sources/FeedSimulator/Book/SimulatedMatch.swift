/// A match of the book with its markets. Its id is the first of a block for its event infos and participants.
package struct SimulatedMatch: Sendable {
  /// The phase of a match between announcement and removal. Times are in milliseconds since 1970.
  enum Phase: Sendable {
    case upcoming
    case live(nextBeat: Int64, suspendedUntil: Int64?)
    case ended(removal: Int64)
  }

  package let id: Int64
  package let fixture: Fixture
  /// The scheduled start, in milliseconds since 1970.
  package let startTime: Int64
  /// The expected lead of the home side over a whole match, in goals, points or games.
  let edge: Double
  /// The scoring rate as a factor of the sport's usual rate.
  let tempo: Double
  /// The bookmaker's margin, as a share of the price.
  let margin: Double
  var phase = Phase.upcoming
  var play: MatchProgress
  /// The markets: one of each `MarketKind`, in that order.
  var markets: [SimulatedMarket] = []

  package var sport: SimulatedSport { fixture.sport }
  package var name: String { "\(fixture.home) - \(fixture.away)" }
  var outlook: ProbabilityModel { ProbabilityModel(play: play, edge: edge, tempo: tempo) }

  var homeParticipantID: Int64 { id + 8 }
  var awayParticipantID: Int64 { id + 9 }

  var isUpcoming: Bool { if case .upcoming = phase { true } else { false } }
  var isLive: Bool { if case .live = phase { true } else { false } }
  var isSuspended: Bool { if case .live(_, .some) = phase { true } else { false } }

  var head: MatchStatusFields {
    switch phase {
    case .upcoming: MatchStatusFields(status: .pending, partName: nil)
    case .live: MatchStatusFields(status: .inProgress, partName: play.partName)
    case .ended: MatchStatusFields(status: .ended, partName: nil)
    }
  }

  /// The time of the match's next event, in milliseconds since 1970.
  var due: Int64 {
    switch phase {
    case .upcoming: startTime
    case .live(let nextBeat, let suspendedUntil): min(nextBeat, suspendedUntil ?? .max)
    case .ended(let removal): removal
    }
  }

  /// The event infos; empty before the match starts.
  var infos: [EventInfo] {
    guard !isUpcoming else { return [] }
    return [info(.score), info(.server), info(.status), info(.minute)].compactMap(\.self)
  }

  /// Returns an event info, or nil if the sport does not have it.
  func info(_ kind: EventInfo.Kind) -> EventInfo? {
    switch kind {
    case .score: EventInfo(id: id + 1, kind: kind, first: Int64(play.score.home), second: Int64(play.score.away))
    case .server where sport == .tennis:
      EventInfo(id: id + 2, kind: kind, first: play.homeServes ? homeParticipantID : awayParticipantID)
    case .server: nil
    case .status: EventInfo(id: id + 3, kind: kind, first: Int64(play.part + 1))
    case .minute: play.minute.map { EventInfo(id: id + 4, kind: kind, first: Int64($0)) }
    }
  }
}
