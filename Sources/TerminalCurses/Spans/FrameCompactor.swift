/// A filter for ncurses' output that removes sequences which the following reset of all attributes makes redundant.
///
/// After a coloured digit ncurses sends the default colour, then the ASCII character set, then the reset: 11 bytes, of
/// which only the last 3 are necessary. The program never selects another character set.
enum FrameCompactor {
  private static let redundant: [StaticString] = ["\u{1B}(B", "\u{1B}[39m", "\u{1B}[49m", "\u{1B}[39;49m"]
  private static let resets: [StaticString] = ["\u{1B}[m", "\u{1B}[0;", "\u{1B}[0m"]

  /// Shortens the bytes in place and returns the remaining count.
  static func compact(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var from = 0
    var to = 0
    while from < bytes.count {
      if bytes[from] == 0x1B { from = startOfReset(in: bytes, at: from) ?? from }
      bytes[to] = bytes[from]
      from += 1
      to += 1
    }
    return to
  }

  /// Returns the index of a reset that follows `start` after only redundant sequences; nil if there is none.
  private static func startOfReset(in bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int? {
    var at = start
    while let skipped = redundant.first(where: { matches($0, bytes, at) }) { at += skipped.utf8CodeUnitCount }
    return at > start && resets.contains { matches($0, bytes, at) } ? at : nil
  }

  private static func matches(_ pattern: StaticString, _ bytes: UnsafeMutableBufferPointer<UInt8>, _ at: Int) -> Bool {
    guard at + pattern.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<pattern.utf8CodeUnitCount).allSatisfy { pattern.utf8Start[$0] == bytes[at + $0] }
  }
}
