import OddsModel

/// A condition on a row.
indirect enum FilterNode: Hashable, Sendable {
  case all([FilterNode])
  case any([FilterNode])
  case not(FilterNode)
  case flag(FilterFlag)
  /// A comparison with a number in ten-millionths. A row without a value for the field does not match any comparison.
  case number(FilterField, Comparison, Int64)
  case score(Comparison, Score)
  case text(SearchIndex.Part, Comparison, FuzzyWord)
  /// A sport by the name in the feed, or by one of the ids in `known`.
  case sport(Comparison, FuzzyWord, known: Set<SportID>)
  /// All words occur in the names of the match. Each can be in a different name.
  case words([FuzzyWord])
}

/// The state besides the row itself that a filter depends on.
struct FilterContext: Sendable {
  /// The current time in milliseconds since 1970.
  var wall: Int64 = 0
  var pinned: Set<MatchID> = []
}

extension FilterNode {
  func matches(_ row: MatchRow, _ context: FilterContext) -> Bool {
    switch self {
    case .all(let nodes): return nodes.allSatisfy { $0.matches(row, context) }
    case .any(let nodes): return nodes.contains { $0.matches(row, context) }
    case .not(let node): return !node.matches(row, context)
    case .flag(let flag): return row.has(flag, context)
    case .number(.odds, let comparison, let value):
      return PriceTriple.indices.contains { column in
        row.prices[column].bettable.map { comparison.holds($0.units, value) } ?? false
      }
    case .number(let field, let comparison, let value):
      return row.number(field, at: context.wall).map { comparison.holds($0, value) } ?? false
    case .score(let comparison, let score): return row.score.map { ($0 == score) == (comparison == .equal) } ?? false
    case .text(let part, let comparison, let word): return row.has(part, comparison, word)
    case .sport(let comparison, let word, let known):
      let isKnown = row.sportID.map(known.contains) ?? false
      let isNamed = row.has(.sport, comparison == .contains ? .contains : .equal, word)
      return (isKnown || isNamed) == (comparison != .unequal)
    case .words(let words):
      return words.allSatisfy { word in
        SearchIndex.Part.searched.contains { row.names.with($0, having: word.mask, word.matches) }
      }
    }
  }

  /// The interval, in milliseconds, at which the result can change with time while the row stays the same: a second if
  /// a time of the condition is no whole number of minutes, and otherwise a minute. Nil if it cannot change with time.
  var timeStep: Int64? {
    switch self {
    case .all(let nodes), .any(let nodes): nodes.lazy.compactMap(\.timeStep).min()
    case .not(let node): node.timeStep
    // The value is in ten-millionths of a second.
    case .number(.start, _, let value): value.isMultiple(of: 60 * DecimalOdds.unitsPerOne) ? 60_000 : 1000
    case .flag, .number, .score, .text, .sport, .words: nil
    }
  }

  /// Returns true if a step has ended between two wall times: the result can differ while the row stays the same.
  func isStepOver(from old: Int64, to new: Int64) -> Bool { timeStep.map { old / $0 != new / $0 } ?? false }

  /// Returns the uptime at which the next step begins; nil if the result cannot change with time.
  func nextDeadline(after now: FrameTime) -> Duration? { timeStep.map { now.uptime + now.time(untilMultipleOf: $0) } }

  /// Returns true if a comparison with the time until the match begins has different results at two wall times.
  /// Otherwise the condition has the same result at both. Much cheaper than `matches`.
  func canChange(for match: Match, from old: Int64, to new: Int64) -> Bool {
    contains { node in
      guard case .number(.start, let comparison, let value) = node else { return false }
      func holds(at wall: Int64) -> Bool {
        MatchRow.timeUntilStart(match.status, match.startTime, at: wall).map { comparison.holds($0, value) } ?? false
      }
      return holds(at: old) != holds(at: new)
    }
  }

  /// True if the result can change with the set of pinned matches.
  var isOfPins: Bool { contains { $0 == .flag(.pinned) } }

  /// Returns the name of the first of these fields and flags that occurs in the condition; nil if none of them does.
  func firstName(of fields: Set<FilterField>, or flags: Set<FilterFlag>) -> String? {
    switch self {
    case .all(let nodes), .any(let nodes):
      for node in nodes { if let name = node.firstName(of: fields, or: flags) { return name } }
      return nil
    case .not(let node): return node.firstName(of: fields, or: flags)
    case .number(let field, _, _): return fields.contains(field) ? field.rawValue : nil
    case .flag(let flag): return flags.contains(flag) ? flag.rawValue : nil
    case .score, .text, .sport, .words: return nil
    }
  }

  private func contains(_ predicate: (FilterNode) -> Bool) -> Bool {
    switch self {
    case .all(let nodes), .any(let nodes): nodes.contains { $0.contains(predicate) }
    case .not(let node): node.contains(predicate)
    case .flag, .number, .score, .text, .sport, .words: predicate(self)
    }
  }

  /// The words to highlight in the names of matching rows.
  var marks: [FilterMark] {
    switch self {
    case .all(let nodes), .any(let nodes): nodes.flatMap(\.marks)
    case .words(let words): words.map { FilterMark(word: $0) }
    case .text(let part, let comparison, let word): comparison == .unequal ? [] : [FilterMark(word: word, part: part)]
    case .not, .flag, .number, .score, .sport: []
    }
  }
}

extension FuzzyWord {
  /// Returns true if the word equals the name of one side. A blank word equals none: such a side has no name.
  fileprivate func isSide(of labels: Match.Names) -> Bool {
    !letters.isEmpty && (isAll(of: labels.home) || isAll(of: labels.away))
  }

  /// Returns true if the word equals the folded name, of which at most `SearchIndex.maxLetters` letters count.
  private func isAll(of name: String) -> Bool {
    var count = 0
    var isEqual = true
    FoldedText.fold(name) { letter, _ in
      guard isEqual, count < SearchIndex.maxLetters else { return }
      isEqual = count < letters.count && letters[count] == letter
      count += 1
    }
    return isEqual && count == letters.count
  }
}

extension MatchRow {
  /// Returns true if a name satisfies the comparison. For `.name`, the name of one side counts as equal too.
  fileprivate func has(_ part: SearchIndex.Part, _ comparison: Comparison, _ word: FuzzyWord) -> Bool {
    switch comparison {
    case .contains: names.with(part, having: word.mask, word.matches)
    case .unequal: !has(part, .equal, word)
    default:
      names.with(part, having: word.mask) { $0.elementsEqual(word.letters) }
        || part == .name && word.mask & ~names.sidesMask == 0 && word.isSide(of: labels)
    }
  }

  fileprivate func has(_ flag: FilterFlag, _ context: FilterContext) -> Bool {
    switch flag {
    case .live: status == .inProgress
    case .pending: status == .pending
    case .ended: status == .ended
    case .suspended: tradingStatus == .suspended || PriceTriple.indices.contains { prices[$0].state == .suspended }
    case .pinned: context.pinned.contains(id)
    }
  }
}
