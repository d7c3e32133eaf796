import OddsFeed
import TerminalCore

extension BoardState {
  /// Returns the completions at the end of an alert rule: its keywords, and the names of the markets and outcomes of
  /// its match.
  func rule(_ characters: ArraySlice<Character>) -> Completion? {
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
    let id: MatchID? =
      if tokens.count > 1, tokens[0].keyword == "match" { MatchID(tokens[1].text) } else {
        isDetailShown ? detail?.id : cursor < rows.count ? rows[cursor].id : nil
      }
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
