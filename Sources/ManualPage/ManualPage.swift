package import ArgumentParser

/// A program's manual page, generated from its options.
package struct ManualPage {
  /// A heading with its text.
  package struct Section {
    fileprivate var title: String
    fileprivate var lines: [String]

    /// Creates a section with the help text of a command.
    package init(_ title: String, command: any ParsableCommand.Type, of root: any ParsableCommand.Type) {
      self.init(title, help: root.helpMessage(for: command, columns: ManualPage.columns))
    }

    /// Creates a section with text that keeps its line breaks, of at most `ManualPage.columns` columns.
    package init(_ title: String, help: String) {
      self.title = title
      lines = [".nf", escaped(help), ".fi"]
    }

    /// Creates a section with a paragraph of text, and then a list of names and their descriptions.
    package init(_ title: String, text: String, list: [(name: String, text: String)] = []) {
      self.init(title, list: list)
      lines.insert(escaped(text), at: 0)
    }

    /// Creates a section with a list of names and their descriptions.
    package init(_ title: String, list: [(name: String, text: String)]) {
      self.title = title
      lines = list.flatMap { entry in
        // Quotation marks delimit the arguments of a macro.
        [".TP", ".B \(escaped(entry.name).replacing("\"", with: "\\(dq"))", escaped(entry.text)]
      }
    }
  }

  /// The width of the help texts, in terminal cells.
  package static let columns = 71

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
    page += [".SH NAME", "\(escaped(name)) \\- \(escaped(summary))"]
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
