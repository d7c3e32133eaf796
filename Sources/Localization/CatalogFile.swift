import Resources

/// A language's file of messages.
///
/// Each message is one line `key = text`, or one line `key.one = text` per plural form. Empty lines and lines that
/// begin with `#` are ignored. White space around a text is removed; a text that begins or ends with a blank is quoted.
package struct CatalogFile {
  package private(set) var texts: [String: String] = [:]
  /// Lines without `=`, and lines whose key is a duplicate.
  package private(set) var faults: [Substring] = []

  package init(of language: Language) { self.init(Resources.words(of: language.rawValue)) }

  package init(_ file: String) {
    // NB: splits by bytes; splitting by characters makes the start of the program several times slower.
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
