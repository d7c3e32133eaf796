/// A language's file: a line `key = text` for each phrase, or one `key.one = text` for each plural form. Lines that are
/// empty or begin with `#` are for who reads the file. Blanks around a text do not count; where it begins or ends with
/// one, the text stands in quotes.
package struct CatalogFile {
  /// The texts by key.
  package private(set) var texts: [String: String] = [:]
  /// Lines that are neither, and keys that are there twice.
  package private(set) var faults: [Substring] = []

  package init(_ file: String) {
    for line in file.split(separator: "\n") where !line.hasPrefix("#") && line.contains(where: { $0 != " " }) {
      guard let equals = line.firstIndex(of: "=") else {
        faults.append(line)
        continue
      }
      let key = String(line[..<equals].trimmed)
      var text = line[line.index(after: equals)...].trimmed
      if text.count > 1, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
      if texts.updateValue(String(text), forKey: key) != nil { faults.append(line) }
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = self.drop { $0 == " " }
    return start[..<(start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex)]
  }
}
