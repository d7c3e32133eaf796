import TerminalCore

/// A replacement of palette indices in ncurses' output by the true colours for which they stand.
///
/// ncurses itself sends true colours only with another terminal type, or by changing the user's palette.
struct ColorSubstitution {
  private let substitutes: [UInt8: Color]

  init(_ substitutes: [UInt8: Color] = [:]) { self.substitutes = substitutes }

  var isEmpty: Bool { substitutes.isEmpty }

  /// Returns the bytes of a frame with true colours.
  func replaced(in frame: UnsafeRawBufferPointer) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frame.count * 5 / 4)
    var at = 0
    while at < frame.count {
      if let (ground, index, end) = Self.color(in: frame, at: at),
        let color = substitutes[index]?.components
      {
        bytes += "\u{1B}[\(ground)8;2;\(color.red);\(color.green);\(color.blue)m".utf8
        at = end
      } else {
        bytes.append(frame[at])
        at += 1
      }
    }
    return bytes
  }

  /// Parses ESC [ 38 ; 5 ; index m, the foreground, or 48 instead of 38, the background; nil for other bytes.
  private static func color(in frame: UnsafeRawBufferPointer, at: Int) -> (ground: Int, index: UInt8, end: Int)? {
    guard at + 8 < frame.count, frame[at] == 0x1B, frame[at + 1] == 0x5B, 0x33...0x34 ~= frame[at + 2],
      frame[at + 3] == 0x38, frame[at + 4] == 0x3B, frame[at + 5] == 0x35, frame[at + 6] == 0x3B
    else { return nil }
    var (end, index) = (at + 7, 0)
    while end < frame.count, 0x30...0x39 ~= frame[end], index < 256 {
      index = index * 10 + Int(frame[end] & 0x0F)
      end += 1
    }
    guard end < frame.count, frame[end] == 0x6D, let index = UInt8(exactly: index) else { return nil }
    return (Int(frame[at + 2] & 0x0F), index, end + 1)
  }
}
