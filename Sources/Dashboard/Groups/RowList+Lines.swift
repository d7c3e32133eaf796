import OddsModel

/// The content of a line of the list.
enum ListLine: Hashable, Sendable {
  /// The heading of a group, by its number.
  case heading(Int)
  /// The row at a position.
  case row(Int)
}

/// The identity of what a line shows, which stays the same while lines move.
enum LineIdentity: Hashable, Sendable {
  case group(GroupKey)
  case match(MatchID)
}

// The lines of the list: without groups the rows; otherwise the pinned rows, then a heading for each group and the rows
// of the groups that are not folded.
extension RowList {
  var lineCount: Int { groups?.lineCount ?? count }

  /// Returns what a line shows. The line must exist.
  func line(_ index: Int) -> ListLine {
    guard let groups, let shown = groups.group(atLine: index) else { return .row(index) }
    return index == shown.line ? .heading(shown.group) : .row(shown.position + index - shown.line - 1)
  }

  /// Returns the position of the row of a line; nil for a heading.
  @inline(__always)
  func position(atLine index: Int) -> Int? {
    // A fast path: called for each row of each frame.
    if groups == nil { return index }
    if case .row(let position) = line(index) { return position }
    return nil
  }

  /// Returns the line of the row at a position; nil if its group is folded.
  func line(ofPosition position: Int) -> Int? {
    guard let groups, let shown = groups.group(atPosition: position) else { return position }
    return groups[shown.group].isFolded ? nil : shown.line + 1 + position - shown.position
  }

  /// Returns the line of a match or a group; for a match in a folded group, the line of the heading. Nil if it is not
  /// shown.
  func line(of identity: LineIdentity) -> Int? {
    switch identity {
    case .match(let id):
      guard let position = position(of: id) else { return nil }
      return line(ofPosition: position) ?? groups?.group(atPosition: position)?.line
    case .group(let key): return groups?.number(of: key).flatMap { groups?.shown($0)?.line }
    }
  }

  /// Returns the identity of a line. The line must exist.
  func identity(ofLine index: Int) -> LineIdentity {
    switch line(index) {
    case .heading(let number): .group(groups!.groups[number].key)
    case .row(let position): .match(withRow(at: position) { $0.id })
    }
  }

  /// Returns the position of the first row of the group at a line, or that of the line's row.
  func firstPosition(atLine index: Int) -> Int {
    position(atLine: index) ?? groups?.group(atLine: index)?.position ?? index
  }

  /// Returns the key of the group at a line; nil for a pinned row and without groups.
  func group(atLine index: Int) -> GroupKey? {
    guard let groups, index < lineCount else { return nil }
    return groups.group(atLine: index).map { groups[$0.group].key }
  }

  // MARK: Changes

  /// Groups the rows, or ends the grouping.
  mutating func group(by grouping: RowGrouping) {
    groups = grouping == .off ? nil : RowGroups(grouping)
    for slot in slots.values { entries[slot].newKey.group = groupNumber(slot) }
    sort(by: order)
  }

  mutating func fold(_ folds: GroupFolds) {
    self.folds = folds
    groups?.fold(folds)
    updateLines()
  }

  /// Returns the number of the group of a row; 0 without groups.
  mutating func groupNumber(_ slot: Int) -> Int32 {
    if groups == nil { return 0 }
    let labels = read(slot) { $0.labels }
    return groups?.number(of: labels, folds) ?? 0
  }

  /// Counts a row in its group when it appears or disappears.
  @inline(__always)
  mutating func count(_ slot: Int, by step: Int) {
    if groups == nil || entries[slot].key.isPinned { return }
    groups?.count(entries[slot].key.group, by: step, isLive: entries[slot].isLive)
  }

  /// Updates the group of a row whose match has changed.
  mutating func updateGroup(_ slot: Int, now: Duration) {
    let (isLive, changedAt) = read(slot) { ($0.status == .inProgress, $0.changedAt) }
    let isCounted = entries[slot].isShown && !entries[slot].key.isPinned
    if isLive != entries[slot].isLive {
      entries[slot].isLive = isLive
      if isCounted { groups?.countLive(entries[slot].key.group, by: isLive ? 1 : -1) }
    }
    if isCounted, changedAt == now { groups?.setChange(Int(entries[slot].key.group), now) }
  }

  mutating func updateLines() {
    if groups == nil { return }
    let pinned = pinnedCount
    groups?.updateLines(pinned: pinned)
  }

  /// Ends the marks of changes that are over, of the headings at a range of lines. Returns the uptime at which the next
  /// one ends.
  mutating func expireHeadings(_ lines: Range<Int>, now: Duration) -> Duration? {
    if groups == nil { return nil }
    var next: Duration?
    for index in lines {
      guard case .heading(let number) = line(index), let changedAt = groups?[number].changedAt else { continue }
      let end = changedAt + Flash.length
      if end <= now { groups?.setChange(number, nil) } else { next = min(next ?? end, end) }
    }
    return next
  }
}
