import Platform

extension String {
  /// The parser's message without a suggestion that has little in common with the unknown option.
  ///
  /// NB: ArgumentParser suggests any option within three edits, which is all of a short name.
  package var withoutFarSuggestion: String {
    guard let match = firstMatch(of: #/Unknown option '-*(.*)'(\. Did you mean '-*([^']*)'\?)/#) else { return self }
    let (_, typed, suggestion, option) = match.output
    if String(option).isSimilar(to: String(typed)) { return self }
    return String(self[..<suggestion.startIndex] + self[suggestion.endIndex...])
  }
}
