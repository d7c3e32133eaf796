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

  /// What a frame that may not come is called.
  static func name(of frame: WebSocketFrame) -> String {
    switch frame.opcode {
    case .binary: "a binary frame"
    case .connectionClose: "a close frame that is none"
    case _ where frame.maskKey != nil: "a masked frame, as only clients do"
    default: "a frame that nobody expects here"
    }
  }
}
