import Hummingbird
import NIOCore

extension ResponseBody {
  /// The size of the parts in which a long list is written, in bytes. Bounds the time for which the compression of one
  /// occupies an event loop.
  private static let partSize = 1 << 16

  /// Creates the body of a list for an address; nil if the clients of the address have too much that they have not
  /// read.
  ///
  /// A list of at most `ServerLimits.pendingBytes` does not count: so much can wait for any client.
  init?(list: ByteBuffer, for address: String, hub: FeedHub, channel: any Channel) {
    let count = list.readableBytes
    if count <= hub.limits.pendingBytes {
      self.init(byteBuffer: list)
      return
    }
    guard hub.unsent.reserve(count, of: address) else { return nil }
    let reserved = ReservedList(list, address, hub.unsent)
    self.init(contentLength: count) { writer in
      var rest = reserved.list
      while rest.readableBytes > 0 {
        try await writer.write(rest.readSlice(length: min(Self.partSize, rest.readableBytes))!)
        // NB: The writer waits while the channel takes no more, but learns of that on the event loop.
        try await channel.eventLoop.submit {}.get()
      }
      try await writer.finish(nil)
    }
  }
}

/// A list whose bytes are reserved in `UnsentDumps` until its response is sent or dropped.
private final class ReservedList: Sendable {
  let list: ByteBuffer
  private let address: String
  private let unsent: UnsentDumps

  init(_ list: ByteBuffer, _ address: String, _ unsent: UnsentDumps) {
    self.list = list
    self.address = address
    self.unsent = unsent
  }

  deinit { unsent.release(list.readableBytes, of: address) }
}
