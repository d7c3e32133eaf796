import Resources

/// A language's file: a line `key = text` for each phrase, or one `key.one = text` for each plural form. Lines that are
/// empty or begin with `#` are for who reads the file. Blanks around a text do not count; where it begins or ends with
/// one, the text stands in quotes.
package struct CatalogFile {
  /// The texts by key.
  package private(set) var texts: [String: String] = [:]
  /// Lines that are neither, and keys that are there twice.
  package private(set) var faults: [Substring] = []

  /// The file of a language.
  package init(of language: Language) { self.init(Resources.words(of: language.rawValue)) }

  package init(_ file: String) {
    // NB: by bytes; by characters it takes a start several times as long.
    for bytes in file.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = Substring(bytes).trimmed
      if line.isEmpty || line.utf8.first == UInt8(ascii: "#") { continue }
      guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        faults.append(line)
        continue
      }
      let text = line[line.utf8.index(after: equals)...].trimmed.unquoted
      if texts.updateValue(String(text), forKey: String(line[..<equals].trimmed)) != nil { faults.append(line) }
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let blank = UInt8(ascii: " ")
    guard let first = utf8.firstIndex(where: { $0 != blank }), let last = utf8.lastIndex(where: { $0 != blank }) else {
      return self[endIndex...]
    }
    return self[first..<utf8.index(after: last)]
  }

  fileprivate var unquoted: Substring {
    let quote = UInt8(ascii: "\"")
    return utf8.count > 1 && utf8.first == quote && utf8.last == quote ? dropFirst().dropLast() : self
  }
}
