/// The sports of the simulated book.
package enum SimulatedSport: Int, CaseIterable, Sendable {
  case football, tennis, basketball, iceHockey, volleyball

  /// The feed's id of the sport.
  package var id: StaticString {
    switch self {
    case .football: "1"
    case .tennis: "3"
    case .basketball: "8"
    case .iceHockey: "6"
    case .volleyball: "20"
    }
  }

  var name: StaticString {
    switch self {
    case .football: "Football"
    case .tennis: "Tennis"
    case .basketball: "Basketball"
    case .iceHockey: "Ice Hockey"
    case .volleyball: "Volleyball"
    }
  }

  /// The part of a match that decides the main market. Overtime counts only in sports without a draw.
  var eventPart: (id: StaticString, name: StaticString) {
    hasDraw ? ("3", "Ordinary Time") : ("1", "Whole Match")
  }

  var hasDraw: Bool { self == .football || self == .iceHockey }

  /// Returns the sport of the n-th match: 40 % football, 18 % tennis, 16 % basketball, 14 % ice hockey, 12 %
  /// volleyball.
  ///
  /// The stride of 7 mixes the sports, so that the shares roughly hold for a few matches too.
  static func ofMatch(_ number: Int) -> SimulatedSport {
    switch number * 7 % 50 {
    case ..<20: .football
    case ..<29: .tennis
    case ..<37: .basketball
    case ..<44: .iceHockey
    default: .volleyball
    }
  }
}
