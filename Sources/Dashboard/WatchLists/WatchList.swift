import OddsModel
import TerminalCore

/// A watch list of the user: a name and the matches pinned in it.
package struct WatchList: Hashable, Sendable {
  /// The greatest width of a name that the user can give, in cells.
  static let maxNameWidth = 40

  /// The name; empty for the first list while it has its usual title.
  package internal(set) var name: String
  var pins: Pins

  init(name: String, pins: Pins = Pins()) {
    self.name = name
    self.pins = pins
  }

  /// Creates a list from the pins that an earlier run has kept, as far as there is room for them.
  package init(name: String, pins: [BoardSession.Pin]) {
    var offers: [MatchID: [OfferID]] = [:]
    for pin in pins {
      guard let id = MatchID(pin.match) else { continue }
      offers[id] = pin.offers.compactMap { OfferID($0) }
    }
    self.init(name: name, pins: Pins(offers))
  }

  /// The pins as they are kept for the next run, by ascending match id.
  package var keptPins: [BoardSession.Pin] {
    pins.offers.sorted { $0.key < $1.key }.map { match, offers in
      BoardSession.Pin(match: "\(match)", offers: offers.map(\.description))
    }
  }

  /// Returns true if a text is the list's name, ignoring case.
  package func isCalled(_ text: String) -> Bool { name.lowercased() == text.lowercased() }
}
