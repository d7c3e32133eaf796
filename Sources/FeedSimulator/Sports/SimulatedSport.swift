/// A sport of the book. The raw value is its index in tables with one entry for each sport.
package enum SimulatedSport: Int, CaseIterable, Sendable {
  case football, tennis, basketball, iceHockey, volleyball

  /// The feed's id of the sport.
  package var id: Int64 { wire.id }
  var name: StaticString { wire.name }

  private var wire: (id: Int64, name: StaticString) {
    switch self {
    case .football: (1, "Football")
    case .tennis: (3, "Tennis")
    case .basketball: (8, "Basketball")
    case .iceHockey: (6, "Ice Hockey")
    case .volleyball: (20, "Volleyball")
    }
  }

  /// The part of a match that decides the main market. Overtime counts only in sports without a draw.
  var eventPart: (id: StaticString, name: StaticString) { hasDraw ? ("3", "Ordinary Time") : ("1", "Whole Match") }

  var hasDraw: Bool { self == .football || self == .iceHockey }

  /// Returns the sport of the n-th match: 40 % football, 18 % tennis, 16 % basketball, 14 % ice hockey, 12 %
  /// volleyball. The stride of 7 mixes the sports, so that the shares roughly hold for a few matches too.
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
