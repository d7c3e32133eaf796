import Hummingbird
import NIOCore

/// A request context that also has the channel of the connection.
struct FeedContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// The network of the client, by which logins are counted. For IPv6 it is the first 64 bits, which usually belong to
  /// one customer.
  var network: String { channel.remoteAddress?.network ?? "" }
}

extension SocketAddress {
  /// The address as text; for IPv6 the first 64 bits, unless it is an IPv4-mapped address.
  var network: String {
    guard case .v6 = self else { return ipAddress ?? "" }
    return withSockAddr { address, size in
      // The address follows family, port and flow information.
      let bytes = UnsafeRawBufferPointer(start: address, count: size).dropFirst(8).prefix(16)
      let isVersion4 =
        bytes.prefix(10).allSatisfy { $0 == 0 } && bytes.dropFirst(10).prefix(2).allSatisfy { $0 == 0xFF }
      if isVersion4 { return bytes.suffix(4).map { "\($0)" }.joined(separator: ".") }
      return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
  }
}
