import Localization
import OddsModel
import TerminalCore

/// The menu of texts that can be copied of a row, or of the selected outcome in the pane.
struct CopyMenu: Hashable, Sendable {
  enum Outcome: Hashable {
    /// The item with that index is copied.
    case chosen(Int)
    case closed
  }

  let match: MatchID
  let outcome: OutcomeKey?
  private(set) var selected = 0

  init(_ match: MatchID, _ outcome: OutcomeKey?) {
    self.match = match
    self.outcome = outcome
  }

  /// Handles a key. `count` is the number of items, whose keys are 1, 2, …
  mutating func handle(_ key: Key, count: Int) -> Outcome? {
    switch key {
    case .escape, .character("Y"): return .closed
    case .enter, .character(" "): return .chosen(selected)
    case .down, .tab, .character("j"): selected = (selected + 1) % max(1, count)
    case .up, .backTab, .character("k"): selected = (selected + max(1, count) - 1) % max(1, count)
    case .character(let character):
      if let number = character.wholeNumberValue, 1...max(1, count) ~= number { return .chosen(number - 1) }
    default: break
    }
    return nil
  }
}

/// An item of the menu.
struct CopyItem: Hashable {
  let label: MessageKey
  /// The text; nil if there is none.
  let text: String?
  /// The reason why there is no text.
  var problem: MessageKey?
}

extension BoardState {
  /// The dialog that receives the keys, if one is open.
  var dialog: Dialog? { account?.dialog ?? copyMenu.map { .copy($0) } }

  /// The outcome that is selected in the pane, if that is in front.
  private var outcomeInView: (match: Match, market: Market, outcome: Outcome)? {
    guard isDetailShown, let match = detail.pane?.match, let chosen = detail.pane?.chosenOutcome else { return nil }
    return (match, chosen.market, chosen.outcome)
  }

  /// Copies the selected outcome, or else the row under the cursor.
  func copyInView() -> [Effect] {
    let text =
      if let (match, market, outcome) = outcomeInView {
        [name(of: outcome, market, match), price(of: outcome, market)].filter { !$0.isEmpty }
          .joined(separator: "  ")
      } else {
        rowInView.map { self.text(of: $0) } ?? selectedHeadingText
      }
    return text.map { copy($0) } ?? [.warning(.noteNoRow)]
  }

  private func copy(_ text: String) -> [Effect] { [.note(.noteCopied, text), .terminal(.copy(text))] }

  /// Opens the menu for the selected outcome, or else the row under the cursor.
  mutating func openCopyMenu() -> [Effect] {
    let outcome = outcomeInView
    guard let match = outcome?.match.id ?? rowInView?.id else { return [.warning(.noteNoRow)] }
    copyMenu = CopyMenu(match, outcome.map { OutcomeKey(market: $0.market.id, outcome: $0.outcome.id) })
    return []
  }

  mutating func pressInCopyMenu(_ key: Key) -> [Effect] {
    if key == .control("c") || settings.keys[key] == .quit { return [.quit] }
    guard let items = copyMenu.map({ copyItems(of: $0) }) else { return [] }
    switch copyMenu?.handle(key, count: items.count) {
    case .chosen(let index): return copy(itemAt: index)
    case .closed: copyMenu = nil
    case nil: break
    }
    return []
  }

  /// Copies an item and closes the menu.
  mutating func copy(itemAt index: Int) -> [Effect] {
    let items = copyMenu.map { copyItems(of: $0) } ?? []
    copyMenu = nil
    guard items.indices.contains(index) else { return [.warning(.noteNoRow)] }
    return items[index].text.map { copy($0) } ?? [.warning(items[index].problem ?? .noteNoRow)]
  }

  /// Returns the items with their current texts. Empty if the match or the outcome is gone.
  func copyItems(of menu: CopyMenu) -> [CopyItem] {
    var values: [LinkTemplate.Value: String] = [.match: "\(menu.match)"]
    var items = [CopyItem(label: .copyMatch, text: "\(menu.match)")]
    let labels: Match.Names
    let (name, odds): (String, String)
    if let key = menu.outcome {
      guard let (match, market, outcome) = outcomeInView, match.id == menu.match,
        key == OutcomeKey(outcome, in: market)
      else { return [] }
      labels = match.labels
      values[.market] = "\(market.id)"
      values[.outcome] = "\(outcome.id)"
      items.append(CopyItem(label: .copyMarket, text: "\(market.id)"))
      items.append(CopyItem(label: .copyOutcome, text: "\(outcome.id)"))
      name = self.name(of: outcome, market, match)
      odds = price(of: outcome, market)
    } else {
      guard let row = list.rows.row(of: menu.match) else { return [] }
      labels = row.labels
      name = labels.name.cleaned
      odds = prices(of: row).joined(separator: "  ")
    }
    values[.name] = labels.name
    values[.home] = labels.home
    values[.away] = labels.away
    values[.sport] = labels.sport
    values[.tournament] = labels.tournament
    values[.country] = labels.category
    items.append(CopyItem(label: .copyOdds, text: odds.isEmpty ? nil : odds, problem: .copyNoOdds))
    items.append(CopyItem(label: .copyName, text: name))
    let link = settings.link.map { $0.link(values) }
    items.append(CopyItem(label: .copyLink, text: link ?? nil, problem: link == nil ? .copyNoLink : .copyNoOutcome))
    return items
  }

  private func name(of outcome: Outcome, _ market: Market, _ match: Match) -> String {
    [match.name, MarketTitle(market).text(), outcome.name].map(\.cleaned).joined(separator: "  ")
  }

  private func price(of outcome: Outcome, _ market: Market) -> String {
    let isCurrent = detail.pane?.isCurrent(connection, isFrozen: list.isFrozen) ?? false
    return text(of: PriceCell(outcome, in: market), isTrusted: isCurrent) ?? ""
  }
}
