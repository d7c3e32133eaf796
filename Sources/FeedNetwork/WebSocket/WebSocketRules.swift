import Localization
import NIOWebSocket

/// What RFC 6455 lets a server send.
enum WebSocketRules {
  /// Codes that may stand in a close frame (7.4).
  static func isCloseCode(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// What is said of who sent a frame that may not come.
  static func violation(by frame: WebSocketFrame) -> MessageKey {
    switch frame.opcode {
    case .binary: .lineSentBinary
    case .connectionClose: .lineSentBadClose
    case _ where frame.maskKey != nil: .lineSentMasked
    default: .lineSentUnexpected
    }
  }
}
