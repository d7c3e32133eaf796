import Localization
import OddsModel
import Platform
import TerminalCore

// The commands for watch lists. The current list is the open one or, in a channel, the one opened or named last.
extension BoardState {
  /// Returns the title of a watch list.
  func title(ofWatchListAt index: Int) -> String { list.watch.lists[index].title(words) }

  /// Returns the index of the watch list with a name, ignoring case; nil if there is none.
  private func watchList(named name: String) -> Int? {
    list.watch.lists.firstIndex { $0.isCalled(name) || $0.title(words).lowercased() == name.lowercased() }
  }

  func note(_ isPinned: Bool, _ match: String, inListAt index: Int) -> Effect {
    .note(isPinned ? .notePinnedIn : .noteUnpinnedFrom, match, title(ofWatchListAt: index))
  }

  /// Opens a watch list. A list that does not exist is made. Without a name, opens the current list.
  mutating func openWatchList(_ line: CommandText, now: FrameTime) throws(FilterError) -> [Effect] {
    guard servesWatchLists else { throw FilterError(at: 0, LocalizedMessage(.noteNoWatch)) }
    if line.argument.isEmpty { return open(.watchList(list.watch.current), now: now) }
    if let index = watchList(named: line.argument) { return open(.watchList(index), now: now) }
    let index = try addWatchList(line, now: now)
    return open(.watchList(index), now: now) + [.note(.noteListNew, title(ofWatchListAt: index))]
  }

  /// Pins the row in a watch list, or unpins it. A list that does not exist is made. In a channel, the list becomes
  /// current. Without a name, the list is the current one.
  mutating func pin(_ line: CommandText, now: FrameTime) throws(FilterError) -> [Effect] {
    if line.argument.isEmpty { return perform(.pin, now: now) }
    guard overlay == nil, let row = rowInView else { throw FilterError(at: 0, LocalizedMessage(.noteNoRow)) }
    let index = if let index = watchList(named: line.argument) { index } else { try addWatchList(line, now: now) }
    if tab == .watchList(index) { return togglePin(now: now) }
    var watch = list.watch
    if channel != nil { watch.select(index) }
    let result = watch.toggle(row.id, row.offers, in: index)
    list.reduce(.watchListsChanged(watch), context(now))
    if result == .full {
      let pins = watch.lists[index].pins
      return [.warning(.noteTooManyPins, pins.offers.count, pins.allOffers.count)]
    }
    return [note(result == .pinned, row.labels.name.cleaned, inListAt: index)]
  }

  /// Renames the current watch list.
  mutating func renameWatchList(_ line: CommandText, now: FrameTime) throws(FilterError) -> [Effect] {
    let index = list.watch.current
    if let other = watchList(named: line.argument), other != index {
      throw FilterError(at: line.argumentStart, LocalizedMessage(.listExists, line.argument))
    }
    var watch = list.watch
    watch.rename(index, to: try watchListName(line))
    list.reduce(.watchListsChanged(watch), context(now))
    return [.note(.noteListRenamed, title(ofWatchListAt: index))]
  }

  /// Deletes a watch list. If it is open, the first channel is opened.
  mutating func deleteWatchList(_ line: CommandText, now: FrameTime) throws(FilterError) -> [Effect] {
    guard let index = watchList(named: line.argument) else {
      let names = list.watch.lists.indices.map { title(ofWatchListAt: $0) }
      throw FilterError(
        at: line.argumentStart,
        LocalizedMessage(.listUnknown, line.argument, LocalizedMessage.list(names.closestMatches(to: line.argument))))
    }
    if index == 0 { throw FilterError(at: line.argumentStart, LocalizedMessage(.listFirst)) }
    let effects = tab == .watchList(index) ? open(.channel(0), now: now) : []
    if case .watchList(let open) = tab, open > index { tab = .watchList(open - 1) }
    var watch = list.watch
    let deleted = watch.lists[index]
    watch.remove(index)
    list.reduce(.watchListsChanged(watch), context(now))
    return effects + [.note(.noteListDeleted, deleted.pins.offers.count, deleted.title(words))]
  }

  /// Removes the matches that the feed does not have from the open watch list.
  mutating func pruneWatchList(now: FrameTime) throws(FilterError) -> [Effect] {
    guard let unserved = unservedMatches else { throw FilterError(at: 0, LocalizedMessage(.listNotOpen)) }
    var watch = list.watch
    watch.release(unserved, from: watch.current)
    list.reduce(.watchListsChanged(watch), context(now))
    var note = LocalizedMessage(.notePruned, unserved.count)
    let kept = unpricedMatches.count
    if kept > 0 { note = LocalizedMessage(.notePrunedKept, note, LocalizedMessage(.noteKeptUnpriced, kept)) }
    return [.show(StatusMessage(note))] + (unserved.isEmpty ? [] : [.openTopic(requestedTopic)])
  }

  /// The matches of the open watch list that the feed does not have. Nil if no watch list is open, or while that cannot
  /// be known.
  var unservedMatches: [MatchID]? {
    guard list.isWatchList, !list.isFrozen, connection.isLoaded, !connection.isLocked else { return nil }
    return list.pins.offers.filter { !$0.value.isEmpty && list.rows.row(of: $0.key) == nil }.keys.sorted()
  }

  /// The matches of the open watch list without prices to ask for, which the feed may have all the same. A channel that
  /// shows one with prices adds them to the list.
  var unpricedMatches: [MatchID] {
    guard list.isWatchList else { return [] }
    return list.pins.offers.filter { $0.value.isEmpty && list.rows.row(of: $0.key) == nil }.keys.sorted()
  }

  /// The number of matches of the open watch list that the feed does not have; 0 while that is not known.
  var unservedCount: Int {
    list.isWatchList && list.pins.offers.count > list.rows.total ? unservedMatches?.count ?? 0 : 0
  }

  private mutating func addWatchList(_ line: CommandText, now: FrameTime) throws(FilterError) -> Int {
    var watch = list.watch
    if watch.lists.count >= WatchLists.limit {
      throw FilterError(at: line.argumentStart, LocalizedMessage(.listTooMany, watch.lists.count))
    }
    let index = watch.add(try watchListName(line))
    list.reduce(.watchListsChanged(watch), context(now))
    return index
  }

  private func watchListName(_ line: CommandText) throws(FilterError) -> String {
    if line.argument.cellWidth > WatchList.maxNameWidth {
      throw FilterError(
        at: line.argumentStart, LocalizedMessage(.listTooLong, line.argument, WatchList.maxNameWidth))
    }
    return line.argument
  }
}

extension WatchList {
  /// The name, or the usual title of the first list.
  func title(_ words: Catalog) -> String { name.isEmpty ? words(.channelWatch) : name.cleaned }
}
