import Localization
import OddsHistory
import OddsModel

// The search for matches of the history that are over or have left the board, and the list to choose from.
extension BoardState {
  var historyChooser: HistoryChooser? {
    if case .history(let chooser)? = overlay?.content { chooser } else { nil }
  }

  /// True if a match of the history is in front.
  var isPastMatchShown: Bool { isDetailShown && detail.pane?.isFromHistory == true }

  /// Returns true if a command has no effect because a match of the history is in front.
  func isIdle(_ command: Command) -> Bool {
    guard isPastMatchShown else { return false }
    switch command {
    case .addAlert, .calculate, .mark: return true
    // Beside the pane is a row to pin.
    case .pin, .space: return detailCoversList
    default: return false
    }
  }

  /// Begins a search in the history, and opens the list for its result.
  mutating func searchHistory(_ line: CommandText, now: FrameTime) throws(FilterError) -> [Effect] {
    if clock.playback != nil { throw FilterError(at: 0, LocalizedMessage(.historyOfRecording)) }
    if !readsHistory { throw FilterError(at: 0, LocalizedMessage(.historyOff)) }
    do throws(FilterError) {
      _ = try MatchQuery(line.argument, words, wall: now.wall, hasPrices: false)
    } catch { throw error.moved(by: line.argumentStart) }
    lastSearchNumber += 1
    let search = HistorySearch(number: lastSearchNumber, text: line.argument)
    overlay = Overlay(.history(HistoryChooser(search: search)))
    return [.searchHistory(search)]
  }

  /// Shows the result of a search in its list. The only match is opened. If the list was closed, the result is ignored.
  mutating func receive(
    _ result: Result<[Match], HistoryError>, of search: HistorySearch, now: FrameTime
  ) -> [Effect] {
    guard var chooser = historyChooser, chooser.search == search else { return [] }
    switch result {
    case .failure(let error):
      overlay = nil
      return [.warning(.historyUnread, error.sentence)]
    case .success(let matches):
      if matches.count == 1 { return openPast(matches[0], now: now) }
      if matches.isEmpty {
        overlay = nil
        return [search.text.isEmpty ? .warning(.historyNoneBegun) : .warning(.historyNoneFound, search.text)]
      }
      chooser.matches = matches
      overlay?.content = .history(chooser)
      return []
    }
  }

  /// Opens the selected match of the list.
  mutating func openChosenPast(now: FrameTime) -> [Effect] {
    guard let matches = historyChooser?.matches, let index = overlay?.selected, matches.indices.contains(index) else {
      return []
    }
    return openPast(matches[index], now: now)
  }

  /// Closes the list and opens a match: live if the channel carries it, and otherwise as it was last known.
  private mutating func openPast(_ match: Match, now: FrameTime) -> [Effect] {
    overlay = nil
    if !isCarried(match.id) {
      return detail.reduce(.openPast(match), context(now)) + watchOpenMatch(now: now)
    }
    if let position = list.rows.position(of: match.id) { list.reduce(.moveCursorToRow(position), context(now)) }
    if match.id == detail.pane?.id, !isPastMatchShown { return [] }
    return detail.reduce(.open(match.id, of: requestedTopic), context(now)) + watchOpenMatch(now: now)
  }

  /// Returns true if the channel carries a match, also if the frozen screen does not show it yet.
  private func isCarried(_ id: MatchID) -> Bool {
    if let change = list.frozenChanges?.matches[id] { return change != nil }
    return list.rows.row(of: id) != nil
  }
}
