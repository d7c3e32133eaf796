package import OddsFeed
import TerminalCore

/// The part of a board's state that is kept between two runs of the program.
package struct BoardSession: Hashable, Sendable {
  /// A setting changed at run time. It is restored only while the configured value is the same as when it was changed.
  package struct Choice<Value: Hashable & Sendable>: Hashable, Sendable {
    package var value: Value
    package var configured: Value

    package init(_ value: Value, configured: Value) {
      (self.value, self.configured) = (value, configured)
    }
  }

  /// A pinned row: the ids of its match and of the offers it showed.
  package struct Pin: Hashable, Sendable {
    package var match: String
    package var offers: [String]

    package init(match: String, offers: [String]) {
      (self.match, self.offers) = (match, offers)
    }
  }

  /// The channel's English name; nil for the watch list.
  package var channel: String?
  package var odds: Choice<OddsFormat>?
  package var order: Choice<RowOrder>?
  /// The theme's name.
  package var theme: Choice<String>?
  /// The filter's text as typed.
  package var filter = ""
  package var pins: [Pin] = []

  /// Creates an empty session.
  package init() {}
}

extension BoardState {
  /// The session to keep for the next run.
  package var session: BoardSession {
    var session = BoardSession()
    session.channel = channel?.name
    session.odds = .init(settings.odds, configured: configured.odds)
    session.order = .init(settings.order, configured: configured.order)
    session.filter = finder.text
    session.theme = .init(settings.theme.name, configured: configured.theme.name)
    session.pins = pins.offers.sorted { $0.key < $1.key }.map { match, offers in
      BoardSession.Pin(match: "\(match)", offers: offers.map(\.description))
    }
    return session
  }

  /// Restores the session of an earlier run, before the first channel is open.
  mutating func restore(_ session: BoardSession, at now: FrameTime) {
    if let name = session.channel, let index = channels.firstIndex(where: { $0.isCalled(name) }) {
      tab = .channel(index)
    }
    if let odds = session.odds, odds.configured == configured.odds { settings.odds = odds.value }
    if let order = session.order, order.configured == configured.order { settings.order = order.value }
    if let theme = session.theme, theme.configured == configured.theme.name,
      let known = settings.theme(named: theme.value)
    {
      settings.theme = known
    }
    var offers: [MatchID: [OfferID]] = [:]
    for pin in session.pins { if let id = MatchID(pin.match) { offers[id] = pin.offers.compactMap { OfferID($0) } } }
    pins = Pins(offers)
    rows = RowList(order: settings.order, odds: settings.odds, pinned: pins.matches)
    pages = firstPage
    find(session.filter, at: now)
  }
}
