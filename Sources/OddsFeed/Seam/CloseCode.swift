/// WebSocket close codes (RFC 6455, §7.4.1).
package enum CloseCode {
  package static let normal: UInt16 = 1000
  package static let goingAway: UInt16 = 1001
  package static let protocolError: UInt16 = 1002
  package static let policy: UInt16 = 1008
}
