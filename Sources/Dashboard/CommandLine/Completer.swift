import OddsModel
import TerminalCore

/// Completes the line of a prompt: commands with their arguments, filters and alert rules.
struct Completer {
  let channels: [BoardChannel]
  /// The titles of the watch lists.
  let watchLists: [String]
  /// The title of the watch list that `:rename` renames.
  let currentWatchList: String
  let settings: BoardSettings
  let rows: RowList
  let alerts: AlertEngine
  /// The match that a rule without a match is about.
  let selected: MatchID?

  /// Returns the completions at the cursor that are cheap enough to compute on every key press.
  func suggestion(in prompt: Prompt) -> Completion? {
    let line = CommandText(prompt.text)
    let cursor = prompt.cursor
    if cursor <= line.nameEnd {
      let start = line.nameEnd - line.name.count
      guard cursor >= start else { return nil }
      let typed = String(prompt.characters[start..<cursor]).lowercased()
      let names = NamedCommand.allCases.filter { $0.rawValue.hasPrefix(typed) }
      return Completion(start..<line.nameEnd, names.map { $0.arguments.isEmpty ? $0.rawValue : $0.rawValue + " " })
    }
    guard let command = try? line.command() else { return nil }
    var (start, words) = (min(line.argumentStart, cursor), choices(command))
    if command == .columns,
      let blank = prompt.characters[start..<cursor].lastIndex(where: { $0.isWhitespace || $0 == "," })
    {
      start = blank + 1
    }
    if command == .sort, let blank = prompt.characters[start..<cursor].lastIndex(where: \.isWhitespace) {
      start = blank + 1
      words = ["reverse"]
    }
    let typed = String(prompt.characters[start..<cursor])
    let fitting = words.filter { FoldedText($0).letters.starts(with: FoldedText(typed).letters) }
    return fitting.isEmpty ? nil : Completion(start..<cursor, fitting)
  }

  /// Returns the completions for the Tab key.
  func completion(in prompt: Prompt) -> Completion? {
    switch prompt.kind {
    case .find: return query(prompt.characters[..<prompt.cursor])
    case .search: return nil
    case .command: break
    }
    let line = CommandText(prompt.text)
    guard prompt.cursor > line.nameEnd else { return suggestion(in: prompt) }
    let argument = prompt.characters[min(line.argumentStart, prompt.cursor)..<prompt.cursor]
    switch try? line.command() {
    case .filter: return query(argument)
    case .history: return query(argument, without: MatchQuery.unusable)
    case .alert: return rule(argument)
    default: return suggestion(in: prompt)
    }
  }

  /// Returns the possible arguments of a command, or an empty array if they are not a fixed set.
  private func choices(_ command: NamedCommand) -> [String] {
    switch command {
    case .channel: channels.map(\.title)
    case .calculate: BetTicket.Kind.allCases.map(\.rawValue) + [BetTicket.closingWord]
    case .columns: ["auto"] + BoardColumn.names
    case .fair: MarginMethod.allCases.map(\.rawValue)
    case .group: RowGrouping.allCases.map(\.rawValue)
    case .lowBandwidth, .mouse: ["on", "off"]
    case .odds: OddsFormat.allCases.map(\.rawValue)
    case .sort: BoardColumn.names
    case .theme: settings.themes.map(\.name)
    case .pin, .watch: watchLists
    // The current name, as a text to edit: the names of other lists are taken.
    case .rename: [currentWatchList]
    case .delete: Array(watchLists.dropFirst())
    case .throttle: Throttle.steps.map { ThrottleInterval(duration: $0).description }
    default: []
    }
  }

  /// Returns the completions at the end of a filter expression.
  ///
  /// - Parameter refused: The words for fields and flags that the expression cannot have.
  private func query(_ characters: ArraySlice<Character>, without refused: Set<String> = []) -> Completion? {
    let tokens = Tokenizer.tokens(String(characters), .filter)
    var before = tokens[...]
    var (range, typed) = (characters.endIndex..<characters.endIndex, "")
    if let last = tokens.last, last.kind == .word || last.isQuoted, last.range.upperBound == characters.count {
      before = tokens.dropLast()
      range = characters.startIndex + last.range.lowerBound..<characters.endIndex
      typed = last.text
    }
    let wanted = FoldedText(typed).letters
    let words = queryWords(after: before, typed, without: refused)
    let fitting = words.filter { FoldedText($0).letters.starts(with: wanted) }
    return fitting.isEmpty ? nil : Completion(range, fitting.map { $0.quotedForQuery + " " })
  }

  private func queryWords(
    after tokens: ArraySlice<Token>, _ typed: String, without refused: Set<String>
  ) -> [String] {
    if tokens.last?.isComparison == true { return tokens.dropLast().last?.field.map(values) ?? [] }
    if typed.isEmpty, let field = tokens.last?.field { return field.comparisons.map(\.rawValue) }
    let isFollowing = tokens.last.map { !$0.isOperator } ?? false
    let joints: [LogicalOperator] = isFollowing ? [.and, .or, .not] : [.not]
    let names = FilterField.allCases.map(\.rawValue) + FilterFlag.allCases.map(\.rawValue)
    return names.filter { !refused.contains($0) } + joints.map(\.rawValue)
  }

  /// Returns the distinct values of a field among the current rows, or an example value for other fields.
  private func values(_ field: FilterField) -> [String] {
    var values: Set<String> = []
    for row in rows.all {
      let labels = row.labels
      switch field {
      case .name: values.formUnion(labels.home.isEmpty ? [labels.name] : [labels.home, labels.away])
      case .tournament: values.insert(labels.tournament)
      case .country: values.insert(labels.category)
      case .part: values.insert(labels.part)
      case .sport: values.insert(labels.sport)
      default: return [field.example]
      }
    }
    return values.filter { !$0.isEmpty }.sorted()
  }

  /// Returns the completions at the end of an alert rule: keywords, and the market and outcome names of its match.
  private func rule(_ characters: ArraySlice<Character>) -> Completion? {
    var start = characters.endIndex
    var before = Tokenizer.tokens(String(characters), .rule)
    // A quotation without its closing mark is still being typed, as is a word at the end.
    if let last = before.last,
      last.kind == .text(isClosed: false) || last.kind == .word && characters.last?.isWhitespace == false
    {
      start = characters.startIndex + last.range.lowerBound
      before.removeLast()
    }
    let typed = String(characters[start...])
    let wanted = FoldedText(typed.hasPrefix("\"") ? String(typed.dropFirst()) : typed).letters
    let names = names(after: before)
    let words = names?.map { (match: $0, text: $0.ruleQuoted) } ?? AlertRule.vocabulary.map { (match: $0, text: $0) }
    let fitting = words.filter { FoldedText($0.match).letters.starts(with: wanted) }.map { $0.text + " " }
    return fitting.isEmpty ? nil : Completion(start..<characters.endIndex, fitting)
  }

  /// Returns the distinct names of markets or outcomes if one of them is expected next, or else nil.
  private func names(after tokens: [Token]) -> [String]? {
    guard let word = tokens.last?.keyword, word == "market" || word == "outcome" else { return nil }
    let id: MatchID? = tokens.count > 1 && tokens[0].keyword == "match" ? MatchID(tokens[1].text) : selected
    guard let match = id.flatMap(alerts.match) else { return [] }
    var names: [String] = []
    if word == "market" {
      names = match.markets.map { MarketTitle($0).text() }
    } else if tokens.count > 1 {
      let title = AlertOutcome.Name<Market>(nil, tokens[tokens.count - 2].text)
      for market in match.markets where title.isName(MarketTitle(market).text()) || "\(market.id)" == title.text {
        names += market.outcomes.map(\.name)
      }
    }
    var known: Set<String> = []
    return names.map(\.ruleName).filter { !$0.isEmpty && known.insert($0).inserted }
  }
}

extension String {
  /// The text as a filter operand, in quotes if it is not a single word.
  fileprivate var quotedForQuery: String {
    let tokens = Tokenizer.tokens(self, .filter)
    let isPlain = tokens.count == 1 && tokens[0].text == self
    return isPlain ? self : "\"\(self.replacing("\"", with: ""))\""
  }
}
