/// A filter for a terminal's input that turns the attribute "faint" into an alternative font.
///
/// libvterm ignores faint, but knows the font of each cell, and the board selects none.
struct FaintAsFont {
  /// The font that represents faint.
  static let font: CInt = 2
  private static let (faint, normalIntensity, usualFont) = ("2", "22", "10")

  /// The beginning of a control sequence whose end has not come yet.
  private var sequence: [UInt8] = []

  /// Returns the bytes that are complete so far, with sequences that select attributes rewritten.
  mutating func rewrite(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    for byte in bytes {
      if byte == 0x1B {
        result += sequence
        sequence = [byte]
      } else if sequence.isEmpty {
        result.append(byte)
      } else if sequence.count == 1 ? byte == UInt8(ascii: "[") : Self.isParameter(byte) && sequence.count < 256 {
        sequence.append(byte)
      } else {
        let selectsAttributes = sequence.count > 1 && byte == UInt8(ascii: "m")
        result += selectsAttributes ? Self.rewrite(parameters: sequence.dropFirst(2)) : sequence
        result.append(byte)
        sequence = []
      }
    }
    return result
  }

  private static func isParameter(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: ";")).contains(byte) }

  private static func rewrite(parameters: ArraySlice<UInt8>) -> [UInt8] {
    let input = String(decoding: parameters, as: UTF8.self)
      .split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    var output: [String] = []
    var index = 0
    while index < input.count {
      // The parameters of a colour are not attributes: 5 and an index, or 2 and three components.
      if ["38", "48"].contains(input[index]), index + 1 < input.count {
        let end = min(index + (input[index + 1] == "5" ? 3 : 5), input.count)
        output += input[index..<end]
        index = end
        continue
      }
      switch input[index] {
      case faint: output.append("1\(font)")
      case normalIntensity: output += [normalIntensity, usualFont]
      default: output.append(input[index])
      }
      index += 1
    }
    return Array("\u{1B}[\(output.joined(separator: ";"))".utf8)
  }
}
