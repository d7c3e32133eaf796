package import OddsFeed
import TerminalCore

/// What is kept of a board between two runs of the program.
package struct BoardSession: Hashable, Sendable {
  /// Something that a key has set. It stands for as long as the configuration says the same as when that was done.
  package struct Choice<Value: Hashable & Sendable>: Hashable, Sendable {
    package var value: Value
    package var configured: Value

    package init(_ value: Value, configured: Value) {
      (self.value, self.configured) = (value, configured)
    }
  }

  /// A row that was pinned: its match, and the offers that it showed, by their ids.
  package struct Pin: Hashable, Sendable {
    package var match: String
    package var offers: [String]

    package init(match: String, offers: [String]) {
      (self.match, self.offers) = (match, offers)
    }
  }

  /// The channel's English name.
  package var channel: String?
  package var odds: Choice<OddsFormat>?
  package var order: Choice<RowOrder>?
  /// The theme's name.
  package var theme: Choice<String>?
  /// As it was typed.
  package var filter = ""
  package var pins: [Pin] = []

  /// Nothing is kept.
  package init() {}
}

extension BoardState {
  /// What is to be kept of the board as it is.
  package var session: BoardSession {
    var session = BoardSession()
    if !isWatching { session.channel = channels[channel].name }
    session.odds = .init(settings.odds, configured: configured.odds)
    session.order = .init(settings.order, configured: configured.order)
    session.filter = finder.text
    session.theme = .init(settings.theme.name, configured: configured.theme.name)
    session.pins = pins.offers.sorted { $0.key < $1.key }.map { match, offers in
      BoardSession.Pin(match: "\(match)", offers: offers.map(\.description))
    }
    return session
  }

  /// Goes on where another run has left off; before the first channel is open.
  package mutating func restore(_ session: BoardSession, at now: FrameTime) {
    if let name = session.channel, let place = channels.firstIndex(where: { $0.isCalled(name) }) { channel = place }
    if let odds = session.odds, odds.configured == configured.odds { settings.odds = odds.value }
    if let order = session.order, order.configured == configured.order { settings.order = order.value }
    if let theme = session.theme, theme.configured == configured.theme.name,
      let known = settings.theme(named: theme.value)
    {
      settings.theme = known
    }
    var kept: [MatchID: [OfferID]] = [:]
    for pin in session.pins { if let id = MatchID(pin.match) { kept[id] = pin.offers.compactMap { OfferID($0) } } }
    pins = Pins(kept)
    rows = RowList(order: settings.order, odds: settings.odds, pinned: pins.matches)
    pages = firstPage
    find(session.filter, at: now)
  }
}
