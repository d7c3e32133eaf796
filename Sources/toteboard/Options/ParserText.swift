import ArgumentParser
import Dashboard
import Localization
import ProgramArguments
import TerminalCore

/// A translation of the argument parser's messages. ArgumentParser has them only in English: they are recognized by the
/// English texts of our own messages. Unrecognized text stays English.
struct ParserText {
  let words: Catalog
  /// The width of the output, in terminal cells.
  var columns = Output.columns

  /// The width of the labels in ArgumentParser's help.
  private static let labelWidth = 26
  /// Prevents line breaks by ArgumentParser, which counts characters, some of which are two cells wide.
  private static let unbroken = 1 << 20

  /// Returns the message for an error, with the usage after a usage error; for a request for help, the help.
  func message(for error: any Error) -> String {
    if let error = error as? any LocalizedMessageError { return words(.usageError, error.sentence) }
    guard words.language != .english else { return Toteboard.fullMessage(for: error).withoutFarSuggestion }
    return translated(Toteboard.fullMessage(for: error, columns: Self.unbroken).withoutFarSuggestion)
  }

  func help(for command: any ParsableCommand.Type) -> String {
    guard words.language != .english else { return Toteboard.helpMessage(for: command, columns: columns) }
    return translated(Toteboard.helpMessage(for: command, columns: Self.unbroken))
  }

  private func translated(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if Self.headings.contains(where: { Self.values(of: $0, in: lines[0]) != nil }) {
      return lines.map(screenLine).joined(separator: "\n")
    }
    // The text is neither help nor an error, but a completion script or a version.
    guard Self.values(of: .usageError, in: lines[0]) != nil else { return text }
    return lines.map(errorLine).joined(separator: "\n")
  }

  // MARK: Errors

  private func errorLine(_ line: String) -> String {
    if let message = Self.values(of: .usageError, in: line)?.first { return words(.usageError, complaint(message)) }
    return seen(line) ?? said(line, as: [.parserUsage, .parserHelp]) ?? line
  }

  /// Translates an indented line that refers to further help; nil for another line.
  private func seen(_ line: String) -> String? {
    guard line.hasPrefix("  ") else { return nil }
    return said(String(line.dropFirst(2)), as: [.parserSee, .screenSeeSubcommand]).map { "  \($0)" }
  }

  private func complaint(_ message: String) -> String {
    if let values = Self.values(of: .parserUnexpectedMany, in: message) {
      // 'a', 'b', 'c'
      let arguments = values[1].dropFirst().dropLast().split(separator: "', '", omittingEmptySubsequences: false)
      let list = LocalizedMessage.list(arguments.map { LocalizedMessage(.quotedWords, String($0)) })
      return words(.parserUnexpectedMany, values[0], list)
    }
    if let values = Self.values(of: .parserChooseFrom, in: message) {
      // 'a', 'b' or 'c'
      let choices = values[2].split(separator: "'").enumerated().filter { $0.offset.isMultiple(of: 2) }
      return words(.parserChooseFrom, values[0], values[1], LocalizedMessage.list(choices.map { String($0.element) }))
    }
    return said(message, as: Self.complaints) ?? message
  }

  /// The parser's errors. A message must precede those that are a prefix of it.
  private static let complaints: [MessageKey] = [
    .parserDidYouMean, .parserUnknownOption, .parserMissingValue, .parserUnwantedValue, .parserInvalidValue,
    .parserUnexpected, .parserMissingArgument,
  ]

  // MARK: Help

  private static let headings: [MessageKey] = [
    .screenOverview, .screenUsage, .screenArguments, .screenOptions, .screenSubcommands,
  ]
  private static let remarks: [MessageKey] = [
    .screenValues, .screenDefault, .screenVersion, .screenHelp, .screenOfSubcommand,
  ]

  private func screenLine(_ line: String) -> String {
    if let overview = said(line, as: [.screenOverview]) { return broken(overview, indent: 0) }
    if let line = seen(line) ?? said(line, as: Self.headings) { return line }
    guard line.hasPrefix("  ") else { return broken(line, indent: 0) }
    let (label, text) = (line.prefix(Self.labelWidth), String(line.dropFirst(Self.labelWidth)))
    guard label.last == " ", !text.isEmpty else { return line }
    return label + broken(said(text, as: Self.remarks) ?? text, indent: Self.labelWidth)
  }

  private func broken(_ text: String, indent: Int) -> String {
    text.wrapped(to: max(columns - indent, 20)).joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  // MARK: Recognizing

  /// Returns the translation of a text that is one of these messages in English; nil if it is none of them.
  private func said(_ text: String, as phrases: [MessageKey]) -> String? {
    for phrase in phrases {
      if let values = Self.values(of: phrase, in: text) { return words.text(LocalizedMessage(phrase, values: values)) }
    }
    return nil
  }

  /// Returns the arguments of a message in an English text; nil if the text is another message.
  static func values(of phrase: MessageKey, in text: String) -> [String]? {
    var pieces = Catalog.english(phrase, "\0", "\0", "\0").split(separator: "\0", omittingEmptySubsequences: false)[...]
    guard let head = pieces.popFirst(), text.hasPrefix(head) else { return nil }
    guard let tail = pieces.popLast() else { return text == head ? [] : nil }
    var rest = text.dropFirst(head.count)
    guard rest.hasSuffix(tail) else { return nil }
    rest = rest.dropLast(tail.count)
    var values: [String] = []
    for piece in pieces {
      guard let range = rest.firstRange(of: piece) else { return nil }
      values.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return values + [String(rest)]
  }
}
