import Algorithms
package import ArgumentParser

/// A program's manual page, generated from its options.
package struct ManualPage {
  /// A heading with its text.
  package struct Section {
    fileprivate var title: String
    fileprivate var lines: [String]

    /// Creates a section with paragraphs.
    package init(_ title: String, paragraphs: [String]) {
      self.title = title
      lines = Self.lines(paragraphs)
    }

    /// Creates a section with lines, which are broken where they are too long.
    package init(_ title: String, lines: [String]) {
      self.title = title
      self.lines = Array(lines.map(escaped).interspersed(with: ".br"))
    }

    /// Creates a section with text that keeps its line breaks.
    package init(_ title: String, verbatim text: String) {
      self.title = title
      lines = [".nf", escaped(text), ".fi"]
    }

    /// Creates a section with a part for each command: its forms, what it does, and its arguments and options.
    ///
    /// - Parameters:
    ///   - shared: Options that are described elsewhere on the page.
    ///   - sharing: Returns a sentence with the names of those that a command has too.
    package init(_ title: String, commands: [HelpText], shared: [HelpText.Entry], sharing: ([String]) -> String) {
      self.title = title
      let known = Set(shared)
      lines = commands.flatMap { help in
        let (others, own) = help.entries.partitioned(by: { !known.contains($0) })
        let names = others.map { String($0.name.prefix { $0 != " " && $0 != "," }) }
        return help.usage.map { ".SS \"\(argument($0))\"" } + Self.lines(help.paragraphs)
          + Self.lines(own.map { ($0.name, $0.text) }) + (names.isEmpty ? [] : Self.lines([sharing(names)]))
      }
    }

    /// Creates a section with a paragraph of text, and then a list of names and their descriptions.
    package init(_ title: String, text: String, list: [(name: String, text: String)] = []) {
      self.init(title, list: list)
      lines.insert(escaped(text), at: 0)
    }

    /// Creates a section with a list of names and their descriptions.
    package init(_ title: String, list: [(name: String, text: String)]) {
      self.title = title
      lines = Self.lines(list)
    }

    private static func lines(_ paragraphs: [String]) -> [String] { paragraphs.flatMap { [".PP", escaped($0)] } }

    private static func lines(_ list: [(name: String, text: String)]) -> [String] {
      list.flatMap { entry in
        [".TP", ".B \(argument(entry.name))", escaped(entry.text)]
      }
    }
  }

  /// The width of a help text without line breaks, in terminal cells.
  package static let unbroken = 1 << 20

  /// The chapter of the manual.
  package enum Chapter: Int {
    case commands = 1
    case files = 5

    fileprivate var title: String {
      switch self {
      case .commands: "User Commands"
      case .files: "File Formats"
      }
    }
  }

  private let root: any ParsableCommand.Type
  private let name: String
  private let chapter: Chapter
  private let summary: String
  private let sections: [Section]

  /// Creates a page of the program with the root command `root`.
  ///
  /// - Parameters:
  ///   - name: The name of the page; nil for the name of the program.
  ///   - summary: A few words that describe the subject.
  package init(
    _ root: any ParsableCommand.Type, name: String? = nil, chapter: Chapter = .commands, summary: String,
    _ sections: [Section]
  ) {
    self.root = root
    self.name = name ?? root._commandName
    self.chapter = chapter
    self.summary = summary
    self.sections = sections
  }

  /// The page in roff, for man(1).
  package var roff: String {
    let version = root.configuration.version
    var page = [
      ".TH \(escaped(name.uppercased())) \(chapter.rawValue) \"\" \"\(version)\" \"\(chapter.title)\""
    ]
    // No word is divided, and no space is stretched: names of options stay as they are typed.
    page += [".nh", ".ad l", ".SH NAME", "\(escaped(name)) \\- \(escaped(summary))"]
    for section in sections { page += [".SH \(section.title)"] + section.lines }
    return page.joined(separator: "\n") + "\n"
  }
}

/// Returns text with the characters escaped that roff would interpret.
private func escaped(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    let body = line.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
    return body.hasPrefix(".") || body.hasPrefix("'") ? "\\&\(body)" : body
  }.joined(separator: "\n")
}

/// Returns escaped text for the line of a macro, whose arguments are delimited by quotation marks.
private func argument(_ text: String) -> String { escaped(text).replacing("\"", with: "\\(dq") }
