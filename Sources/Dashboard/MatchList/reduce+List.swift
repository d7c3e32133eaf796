import Localization
import OddsModel
import TerminalCore

extension BoardState {
  /// Sorts by the next key.
  mutating func cycleOrder(now: FrameTime) {
    let keys = RowOrder.Key.allCases
    sort(by: RowOrder(keys[(keys.firstIndex(of: settings.order.key)! + 1) % keys.count]), now: now)
  }

  mutating func reverseOrder(now: FrameTime) {
    sort(by: RowOrder(settings.order.key, isReversed: !settings.order.isReversed), now: now)
  }

  /// Sorts the rows and shows a message, because not every order has a column to mark.
  mutating func sort(by order: RowOrder, now: FrameTime) {
    settings.order = order
    list.sort(by: order, now: now)
    show(
      StatusMessage(LocalizedMessage(order.isReversed ? .noteSortedReversed : .noteSorted, order.key.phrase)), now: now)
  }

  /// Sorts by the column whose title is at a column of cells, counted from the left edge. Reverses the order if it is
  /// that column's already. Does nothing beside the titles.
  mutating func sort(byTitleAt column: Int, now: FrameTime) {
    guard let key = layout.list.key(ofTitleAt: column) else { return }
    sort(by: RowOrder(key, isReversed: key == settings.order.key && !settings.order.isReversed), now: now)
  }
}

extension RowOrder.Key {
  var phrase: MessageKey {
    switch self {
    case .time: .orderTime
    case .name: .orderName
    case .change: .orderChange
    case .mover: .orderMover
    case .overround: .orderOverround
    case .favourite: .orderFavourite
    case .home: .orderHome
    case .draw: .orderDraw
    case .away: .orderAway
    }
  }
}

extension Layout {
  /// Returns the sort key of the title at a column of cells; nil if that column has none.
  func key(ofTitleAt column: Int) -> RowOrder.Key? {
    // The mark of the order is in the gap after its column, so the column's end is included.
    func holds(_ columns: Range<Int>) -> Bool {
      !columns.isEmpty && columns.lowerBound <= column && column <= columns.upperBound
    }
    if holds(time) { return .time }
    if holds(name) { return .name }
    if let price = prices.first(where: { $0.cells.contains(column) }) { return RowOrder.Key.columns[price.column] }
    if holds(overround) { return .overround }
    return holds(age) ? .change : nil
  }
}

extension BoardState {
  /// True if the watch list has a tab: it is open, or has pins in a feed that serves topics.
  var hasWatchTab: Bool { list.isWatchList || !list.pins.isEmpty && servesTopics }

  /// The topic of the watch list: the pinned prices. The first channel's topic if the feed has no such topic; the watch
  /// list cannot be opened then.
  var watchTopic: Topic { topic(ofOffers: list.pins.allOffers) ?? channels[0].topic }

  mutating func watch(now: FrameTime) -> [Effect] {
    if servesTopics { return open(.watchList, now: now) }
    show(StatusMessage(LocalizedMessage(.noteNoWatch), isWarning: true), now: now)
    return []
  }

  /// Pins or releases the selected row.
  mutating func togglePin(now: FrameTime) -> [Effect] {
    guard overlay == nil, list.selected != nil else { return [] }
    guard list.togglePin(now: now) else {
      let (matches, offers) = (list.pins.offers.count, list.pins.allOffers.count)
      show(StatusMessage(LocalizedMessage(.noteTooManyPins, matches, offers), isWarning: true), now: now)
      return []
    }
    return list.isWatchList ? [.openTopic(requestedTopic)] : []
  }
}
