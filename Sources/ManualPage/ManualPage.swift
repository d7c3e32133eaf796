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

    /// Creates a section with a help text of at most `ManualPage.columns` columns.
    package init(_ title: String, help: String) {
      self.title = title
      lines = [".nf", escaped(help), ".fi"]
    }

    /// Creates a section with a list of names and their descriptions.
    package init(_ title: String, list: [(name: String, text: String)]) {
      self.title = title
      lines = list.flatMap { [".TP", ".B \(escaped($0.name))", escaped($0.text)] }
    }
  }

  /// The width of the help texts, in terminal cells.
  package static let columns = 76

  private let root: any ParsableCommand.Type
  private let summary: String
  private let sections: [Section]

  /// Creates a page for the program with the root command `root`.
  ///
  /// - Parameter summary: A few words that describe the program.
  package init(_ root: any ParsableCommand.Type, summary: String, _ sections: [Section]) {
    self.root = root
    self.summary = summary
    self.sections = sections
  }

  /// The page in roff, for man(1).
  package var roff: String {
    let (name, version) = (root._commandName, root.configuration.version)
    var page = [".TH \(escaped(name.uppercased())) 1 \"\" \"\(version)\" \"User Commands\""]
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
