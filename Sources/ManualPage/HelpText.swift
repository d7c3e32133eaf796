import Algorithms

/// The parts of a command's help text, as ArgumentParser prints it without line breaks, in any language.
package struct HelpText {
  /// An argument or an option, with its description.
  package struct Entry: Hashable {
    package let name: String
    package let text: String
  }

  /// A line without an indent, and the entries below it.
  fileprivate struct Section {
    let title: String
    var entries: [Entry] = []
  }

  /// The description of the command: the overview, and the paragraphs after it.
  package private(set) var paragraphs: [String] = []
  /// The forms of the command, such as `toteboard list <options>`.
  package private(set) var usage: [String] = []
  /// The arguments and options.
  package private(set) var entries: [Entry] = []

  /// The words of the help text in its language. A heading ends with a colon.
  package struct Words {
    let overview, usage, commands: String

    package init(overview: String, usage: String, commands: String) {
      self.overview = overview
      self.usage = usage
      self.commands = commands
    }

    package static let english = Self(overview: "OVERVIEW: ", usage: "USAGE: ", commands: "SUBCOMMANDS:")
  }

  /// The width of the names in the help text of ArgumentParser. The description of a longer name is on the next line.
  fileprivate static let nameWidth = 26

  /// Creates the parts of a help text.
  package init(_ text: String, _ words: Words) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(where: { $0.hasPrefix(words.usage) }) else { return }
    paragraphs = lines[..<start].filter { !$0.isEmpty }.map { $0.removing(words.overview) }
    let end = lines[start...].firstIndex(of: "") ?? lines.endIndex
    usage = lines[start..<end].map { $0.removing(words.usage).trimmed }
    var sections: [Section] = []
    for line in lines[end...] where !line.isEmpty {
      if !line.hasPrefix(" ") {
        sections.append(Section(title: line))
      } else if let last = sections.indices.last {
        sections[last].add(line)
      }
    }
    for section in sections where section.title != words.commands { entries += section.entries }
  }
}

extension HelpText.Section {
  /// Adds a line with a name, a description or both.
  mutating func add(_ line: String) {
    let width = HelpText.nameWidth
    if line.prefix(width).allSatisfy({ $0 == " " }) {
      guard let last = entries.popLast() else { return }
      entries.append(.init(name: last.name, text: line.trimmed))
    } else if line.count > width, line.dropFirst(width - 1).first == " " {
      entries.append(.init(name: line.prefix(width).trimmed, text: line.dropFirst(width).trimmed))
    } else {
      entries.append(.init(name: line.trimmed, text: ""))
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String { String(trimming { $0 == " " }) }

  fileprivate func removing(_ prefix: String) -> String {
    String(hasPrefix(prefix) ? dropFirst(prefix.count) : self[...])
  }
}
