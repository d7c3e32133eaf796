import FoundationCore
import NIOCore

/// The JSON of the messages about accounts and of the saved accounts.
enum AccountJSON {
  /// Returns a value as JSON.
  static func encode(_ value: some Encodable) -> [UInt8] { Array((try? JSONEncoder().encode(value)) ?? Data()) }

  /// Returns the value of a message; nil if the message is malformed.
  static func decode<Value: Decodable>(_ type: Value.Type, from payload: ByteBuffer) -> Value? {
    try? JSONDecoder().decode(type, from: Data(payload.readableBytesView))
  }
}
