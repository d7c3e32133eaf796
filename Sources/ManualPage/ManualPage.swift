package import ArgumentParser

/// A program's manual page, made from its options.
package struct ManualPage {
  /// A heading, and what stands under it.
  package struct Section {
    fileprivate var title: String
    fileprivate var lines: [String]

    /// What a command's help says.
    package init(_ title: String, command: any ParsableCommand.Type, of root: any ParsableCommand.Type) {
      self.init(title, help: root.helpMessage(for: command, columns: ManualPage.columns))
    }

    /// A help screen, at most `ManualPage.columns` wide.
    package init(_ title: String, help: String) {
      self.title = title
      lines = [".nf", escaped(help), ".fi"]
    }

    /// A list of names, each with what is said of it.
    package init(_ title: String, list: [(name: String, text: String)]) {
      self.title = title
      lines = list.flatMap { [".TP", ".B \(escaped($0.name))", escaped($0.text)] }
    }
  }

  /// What a page has room for, in terminal cells.
  package static let columns = 76

  private let root: any ParsableCommand.Type
  private let summary: String
  private let sections: [Section]

  /// `summary` tells in a few words what the program is.
  package init(_ root: any ParsableCommand.Type, summary: String, _ sections: [Section]) {
    self.root = root
    self.summary = summary
    self.sections = sections
  }

  /// The page in roff, for man(1).
  package var roff: String {
    let (name, version) = (root._commandName, root.configuration.version)
    var page = [".TH \(escaped(name.uppercased())) 1 \"\" \"\(name) \(version)\" \"User Commands\""]
    page += [".SH NAME", "\(escaped(name)) \\- \(escaped(summary))"]
    for section in sections { page += [".SH \(section.title)"] + section.lines }
    return page.joined(separator: "\n") + "\n"
  }
}

/// Text that roff leaves as it is.
private func escaped(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    let body = line.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
    return body.hasPrefix(".") || body.hasPrefix("'") ? "\\&\(body)" : body
  }.joined(separator: "\n")
}
