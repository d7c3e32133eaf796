/// The line numbers of the keys in a TOML text, which the parser does not provide.
struct TOMLLines {
  private var lines: [[String]: Int] = [:]
  private var bytes: [UInt8]
  private var at = 0
  private var line = 1

  /// The maximum depth of tables and lists. The parser rejects deeper ones.
  private static let maxDepth = 256

  /// The line of a path of keys and list indices (from 0), or of its nearest existing parent; nil if there is none.
  subscript(path: String...) -> Int? { self[path] }

  subscript(path: [String]) -> Int? {
    var path = path[...]
    while !path.isEmpty {
      if let line = lines[Array(path)] { return line }
      path = path.dropLast()
    }
    return nil
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
    var table: [String] = []
    var counts: [[String]: Int] = [:]
    while at < bytes.count {
      skipBlanks()
      switch current {
      case UInt8(ascii: "["):
        let (begin, isList) = (line, next == UInt8(ascii: "["))
        at += isList ? 2 : 1
        let keys = keys()
        table = []
        for (place, key) in keys.enumerated() {
          table.append(key)
          if isList, place == keys.count - 1 { counts[table, default: 0] += 1 }
          if let count = counts[table] { note(begin, at: &table, "\(count - 1)") }
        }
        lines[table] = lines[table] ?? begin
        skipLine()
      case nil, UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): skipLine()
      default:
        readPair(in: table, depth: 0)
        skipLine()
      }
    }
    bytes = []
  }

  private var current: UInt8? { at < bytes.count ? bytes[at] : nil }
  private var next: UInt8? { at + 1 < bytes.count ? bytes[at + 1] : nil }

  private mutating func note(_ line: Int, at path: inout [String], _ key: String) {
    if lines[path] == nil, !path.isEmpty { lines[path] = line }
    path.append(key)
    if lines[path] == nil { lines[path] = line }
  }

  private mutating func skipBlanks() { while let byte = current, byte == 0x20 || byte == 0x09 { at += 1 } }

  private mutating func step() {
    if current == 0x0A { line += 1 }
    at += 1
  }

  private mutating func skipLine() {
    while let byte = current {
      step()
      if byte == 0x0A { return }
    }
  }

  /// Reads the keys up to `=` or `]`, separated by dots.
  private mutating func keys() -> [String] {
    var keys: [String] = []
    while true {
      skipBlanks()
      keys.append(key())
      skipBlanks()
      guard current == UInt8(ascii: ".") else { return keys }
      at += 1
    }
  }

  private mutating func key() -> String {
    let begin = at
    if let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      skipText(quote)
      return String(decoding: bytes[min(begin + 1, at)..<max(begin + 1, at - 1)], as: UTF8.self)
    }
    while let byte = current, !" \t.=]#\n".utf8.contains(byte) { at += 1 }
    return String(decoding: bytes[begin..<at], as: UTF8.self)
  }

  private mutating func readPair(in table: [String], depth: Int) {
    let begin = line
    var path = table
    for key in keys() { note(begin, at: &path, key) }
    guard current == UInt8(ascii: "=") else { return }
    at += 1
    skipBlanks()
    readValue(at: path, depth: depth)
  }

  private mutating func readValue(at path: [String], depth: Int) {
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): skipText(bytes[at])
    case UInt8(ascii: "[") where depth < Self.maxDepth:
      var index = 0
      readElements(until: UInt8(ascii: "]")) { reader in
        let path = path + ["\(index)"]
        // An element on the line of its list needs no entry.
        if reader.line != reader[path] { reader.lines[path] = reader.line }
        reader.readValue(at: path, depth: depth + 1)
        index += 1
      }
    case UInt8(ascii: "{") where depth < Self.maxDepth:
      readElements(until: UInt8(ascii: "}")) { $0.readPair(in: path, depth: depth + 1) }
    default: while let byte = current, !",]}#\n".utf8.contains(byte) { at += 1 }
    }
  }

  /// Reads the elements up to the closing bracket, separated by commas.
  private mutating func readElements(until end: UInt8, _ read: (inout TOMLLines) -> Void) {
    at += 1
    while true {
      skipSpace()
      guard let byte = current, byte != end else { break }
      let before = at
      read(&self)
      skipSpace()
      if current == UInt8(ascii: ",") || at == before { step() }
    }
    if current != nil { at += 1 }
  }

  /// Skips blanks, line ends and comments.
  private mutating func skipSpace() {
    while let byte = current {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: step()
      case UInt8(ascii: "#"): while let byte = current, byte != 0x0A { at += 1 }
      default: return
      }
    }
  }

  private mutating func skipText(_ quote: UInt8) {
    let isLong = next == quote && at + 2 < bytes.count && bytes[at + 2] == quote
    let fence = isLong ? 3 : 1
    at += fence
    while let byte = current {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        step()
        step()
      } else if byte == quote, !isLong || next == quote && at + 2 < bytes.count && bytes[at + 2] == quote {
        at += fence
        // A multi-line text may end with quotes that belong to it.
        while isLong, current == quote { at += 1 }
        return
      } else {
        step()
      }
    }
  }
}
