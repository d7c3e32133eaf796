import Localization
import NIOWebSocket

/// The rules of RFC 6455 for frames from a server.
enum WebSocketRules {
  /// Returns true if the code is valid in a close frame (7.4).
  static func isCloseCode(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// Returns the message for a frame that violates the protocol.
  static func violation(by frame: WebSocketFrame) -> MessageKey {
    switch frame.opcode {
    case .binary: .lineSentBinary
    case .connectionClose: .lineSentBadClose
    case _ where frame.maskKey != nil: .lineSentMasked
    default: .lineSentUnexpected
    }
  }
}
