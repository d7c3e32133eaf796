import Localization
import OddsModel
import TerminalCore

/// The rows of the alert pane: the rules, then the alerts. Each entry has one row, or two on a narrow screen.
struct AlertTable: ScrollablePane {
  private static let indent = 2
  private static let wideFrom = 60
  private static let maxName = 40

  private let store: AlertStore
  private let selected: Int
  private let width: Int
  private let words: Catalog
  private let odds: ChangeFormatter
  private let now: FrameTime
  private let keys: KeyMap
  private let noRules: [String]
  private let noEvents: [String]

  init(of state: BoardState, now: FrameTime) {
    store = state.alerts
    self.now = now
    words = state.words
    keys = state.settings.keys
    selected = state.overlay?.selected ?? 0
    odds = ChangeFormatter(words: words, odds: state.settings.odds)
    width = state.size.columns
    let room = max(1, width - Self.indent)
    noRules = store.rules.active.isEmpty ? words(.alertNoRules, keys.name(of: .addAlert, words)).wrapped(to: room) : []
    noEvents = store.log.events.isEmpty ? words(.alertsNone).wrapped(to: room) : []
  }

  /// The number of rows for each entry.
  private var height: Int { width < Self.wideFrom ? 2 : 1 }
  private var rules: Int { store.rules.active.count }
  /// The row of the second heading.
  private var middle: Int { 2 + max(noRules.count, rules * height) }

  var count: Int { middle + 1 + max(noEvents.count, store.log.events.count * height) }

  /// Returns the rows of an entry, including the heading above the first entry of each section.
  func rows(ofEntry index: Int) -> Range<Int> {
    if index < rules { return (index == 0 ? 0 : 1 + index * height)..<1 + (index + 1) * height }
    let first = middle + 1 + (index - rules) * height
    return (index == 0 ? 0 : index == rules ? middle : first)..<first + height
  }

  var entryCount: Int { rules + store.log.events.count }
  var note: String? { words(.alertKeys, keys.name(of: .open, words), keys.name(of: .deleteAlert, words)) }

  func row(_ line: Int) -> PaneRow {
    switch line {
    case 0: return heading(.alertRules)
    case middle: return heading(.alertsTriggered)
    case middle - 1: return .gap
    case ..<middle:
      if !noRules.isEmpty { return text(noRules[line - 1]) }
      let (index, part) = (line - 1).quotientAndRemainder(dividingBy: height)
      return row(store.rules.active[index], part, isSelected: index == selected)
    default:
      if !noEvents.isEmpty { return text(noEvents[line - middle - 1]) }
      let (index, part) = (line - middle - 1).quotientAndRemainder(dividingBy: height)
      return row(store.log.events[index], part, isSelected: rules + index == selected)
    }
  }

  private func heading(_ phrase: MessageKey) -> PaneRow { PaneRow(words(phrase), at: 1, .strong) }

  private func text(_ text: String) -> PaneRow { PaneRow(text, at: Self.indent, .muted) }

  /// Lays out a word, a name and details side by side, or on two rows of which `part` is the index.
  private func row(
    _ part: Int, _ word: (String, Style.Role), wordWidth: Int, _ name: String, _ details: [(String, Style.Role)]
  ) -> PaneRow {
    var row = PaneRow()
    let afterWord = min(width, Self.indent + wordWidth + 1)
    let afterName = height == 2 ? width : min(width, afterWord + min(Self.maxName, (width - afterWord) * 2 / 5) + 1)
    if part == 0 {
      row.add(word.0, at: Self.indent, to: afterWord - 1, word.1)
      row.add(name, at: afterWord, to: height == 2 ? width : afterName - 1)
    }
    if part == 1 || height == 1 {
      var at = height == 2 ? Self.indent + 1 : afterName
      for (text, role) in details where at < width {
        row.add(text, at: at, role)
        at += text.cellWidth + 1
      }
    }
    return row
  }

  private func row(_ activeRule: ActiveRule, _ part: Int, isSelected: Bool) -> PaneRow {
    let states: [MessageKey] = [.alertArmed, .alertUnseen, .alertWaiting, .alertDone, .alertSilenced]
    let current = activeRule.state(in: match(of: activeRule.rule))
    let isUnseen = current == .armed && !isInSight(activeRule.rule)
    let (state, role) = isUnseen ? (.alertUnseen, .warning) : current.shown
    let scope =
      switch activeRule.rule.scope {
      case .all: words(.alertAllMatches)
      case .words(let text): text
      case .match(let id, let name): name.isEmpty ? "\(id)" : name
      }
    var details = [(condition(of: activeRule.rule), activeRule.isSilenced ? Style.Role.muted : .plain)]
    if current == .waiting, let odds = activeRule.rule.rearms {
      details.append((words(.alertArmedAgain, self.odds.price(odds)), .muted))
    } else if activeRule.count > 0 {
      details.append((words(.alertTimes, activeRule.count), .muted))
    }
    if let outcome = activeRule.rule.event.outcome { details.append((odds.name(of: .outcome(outcome)), .muted)) }
    var row = row(part, (words(state), role), wordWidth: states.map { words($0).cellWidth }.max() ?? 0, scope, details)
    row.isSelected = isSelected
    return row
  }

  /// Returns the text of a rule without its matches and without its outcome, which is long and shown after it.
  private func condition(of rule: AlertRule) -> String {
    let text = AlertRule(.all, rule.event, rule.repetition).text
    return rule.event.outcome.map { String(text.dropFirst($0.text.count + 1)) } ?? text
  }

  /// Returns false if the rule names an outcome of a single match that is not known at present.
  private func isInSight(_ rule: AlertRule) -> Bool {
    guard case .match = rule.scope, let outcome = rule.event.outcome else { return true }
    return match(of: rule).map { !outcome.outcomes(in: $0).isEmpty } ?? false
  }

  /// Returns the match of a rule on a single match; nil for any other rule and if the board has no data on the match.
  private func match(of rule: AlertRule) -> Match? {
    if case .match(let id, _) = rule.scope { store.engine.match(id) } else { nil }
  }

  private func row(_ event: AlertEvent, _ part: Int, isSelected: Bool) -> PaneRow {
    let hasDays = store.log.events.last.map { !now.isToday($0.time) } ?? false
    let time = now.local.stamp(event.time, withDay: hasDays, words)
    var details = [(odds.shortText(of: event.content, now: now), Style.Role.plain)]
    if event.count > 1 { details.append((words(.alertTimes, event.count), .muted)) }
    if let price = event.content.outcomePrice { details.append((odds.name(of: price), .muted)) }
    var row = row(part, (time, .muted), wordWidth: time.cellWidth, event.name, details)
    row.isSelected = isSelected
    return row
  }
}

extension ActiveRule.State {
  fileprivate var shown: (MessageKey, Style.Role) {
    switch self {
    case .armed: (.alertArmed, .plain)
    case .waiting: (.alertWaiting, .warning)
    case .done: (.alertDone, .muted)
    case .silenced: (.alertSilenced, .muted)
    }
  }
}

extension AlertRule {
  /// The price at which the rule is armed again.
  fileprivate var rearms: DecimalOdds? {
    guard case .price(_, let comparison, let limit) = event, case .againBy(let margin) = repetition else { return nil }
    return comparison.rearms(limit, by: margin)
  }
}
