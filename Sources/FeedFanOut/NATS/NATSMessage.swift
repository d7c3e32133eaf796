internal import CNATS
package import NIOCore

/// A message as NATS delivered it.
package struct NATSMessage: Sendable {
  package let subject: String
  /// The subject to answer on; nil if no answer is expected.
  package let reply: String?
  package let payload: ByteBuffer
  /// True for the server's answer to a request that nobody subscribes to.
  let isNoResponders: Bool

  /// Copies a message of libnats.
  init(copying message: OpaquePointer) {
    subject = String(cString: natsMsg_GetSubject(message))
    reply = natsMsg_GetReply(message).map { String(cString: $0) }
    let count = Int(natsMsg_GetDataLength(message))
    payload = ByteBuffer(bytes: UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: count))
    isNoResponders = natsMsg_IsNoResponders(message)
  }
}
