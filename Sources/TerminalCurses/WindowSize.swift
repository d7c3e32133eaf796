import CLibrary
import Synchronization
package import TerminalCore

/// The terminal's size, as last published by the input side. The screen adapts to it at its next paint.
package final class WindowSize: Sendable {
  // NB: both halves share one word, so that readers never see half of a change.
  private let packed: Atomic<UInt32>

  package init(_ size: Size) { packed = Atomic(Self.pack(size)) }

  /// The size in cells, from 1 x 1 to 65535 x 65535.
  package var size: Size {
    get {
      let packed = packed.load(ordering: .relaxed)
      return Size(rows: Int(packed >> 16), columns: Int(packed & 0xFFFF))
    }
    set { packed.store(Self.pack(newValue), ordering: .relaxed) }
  }

  /// Returns the size that the terminal reports; 80 x 24 if it reports none.
  package static func size(of tty: CInt) -> Size {
    var window = winsize()
    guard ioctl(tty, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
      return Size(rows: 24, columns: 80)
    }
    return Size(rows: Int(window.ws_row), columns: Int(window.ws_col))
  }

  private static func pack(_ size: Size) -> UInt32 {
    UInt32(min(max(1, size.rows), 0xFFFF)) << 16 | UInt32(min(max(1, size.columns), 0xFFFF))
  }
}
