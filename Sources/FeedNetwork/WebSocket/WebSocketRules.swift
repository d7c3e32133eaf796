import Localization
import NIOWebSocket

/// The rules of RFC 6455 for frames from a server.
enum WebSocketRules {
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
