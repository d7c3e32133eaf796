/// The origin of a web page, in the form that browsers send: `scheme://host[:port]`.
package enum WebOrigin {
  /// Returns true if `text` has that form. A path, a user or white space makes it invalid.
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("//"), isScheme(parts[0]) else { return false }
    var host = parts[1].dropFirst(2)
    if host.last != "]", let colon = host.lastIndex(of: ":") {
      let port = host[host.index(after: colon)...]
      guard port.utf8.allSatisfy(isDigit), 1...65_535 ~= Int(port) ?? 0 else { return false }
      host = host[..<colon]
    }
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { return false }
    } else if host.contains(":") {
      return false
    }
    return !host.isEmpty && host.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"/?#@\\\"<>[]".utf8.contains($0) }
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
