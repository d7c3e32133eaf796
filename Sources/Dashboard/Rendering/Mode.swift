/// A state of the board that is shown until it ends, as a chip: a short text at the right of the counters.
enum Mode: Equatable {
  case frozen(missed: Int)
  case filter(FilterResult)
  /// Alerts that are not read yet.
  case alerts(Int)
  case throttle(Duration)
  case damage(rows: Int, bytes: Int)
  case wholeScreen
  /// The number of matches of the open watch list that the feed does not have.
  case unserved(Int)
  /// The number of chosen columns that do not fit.
  case hiddenColumns(Int)
}

extension BoardState {
  /// The active modes, the most important first.
  var modes: [Mode] {
    var modes: [Mode] = []
    if list.isFrozen { modes.append(.frozen(missed: list.missedCount)) }
    // The prompt shows the filter while it is typed.
    if promptBar.prompt?.kind != .find, let filterResult { modes.append(.filter(filterResult)) }
    if alerts.log.unread > 0 { modes.append(.alerts(alerts.log.unread)) }
    if list.throttle.interval != .zero { modes.append(.throttle(list.throttle.interval)) }
    if statusBar.showsDamage {
      let rates = statusBar.meters.rates
      modes.append(.damage(rows: rates.rowsPerFrame, bytes: rates.bytesPerFrame))
    }
    if statusBar.paintsWholeScreen { modes.append(.wholeScreen) }
    let unserved = unservedCount
    if unserved > 0 { modes.append(.unserved(unserved)) }
    let hidden = settings.columns.isEmpty ? 0 : layout.columns.hidden.count
    if hidden > 0 { modes.append(.hiddenColumns(hidden)) }
    return modes
  }
}
