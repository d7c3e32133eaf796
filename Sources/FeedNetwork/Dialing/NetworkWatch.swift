import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Tells when the machine's links or addresses change: a line that waits to be tried again need not wait any longer.
///
/// Linux only (rtnetlink(7)); elsewhere there is none, and a line waits out its delay.
package final class NetworkWatch {
  #if os(Linux)
    private let source: any DispatchSourceRead

    /// Calls `onChange` after each change, from a queue of its own, until it is dropped. Nil where the system does not say.
    package init?(onChange: @escaping @Sendable () -> Void) {
      // NB: linux/netlink.h is not part of the C library's module: AF_NETLINK, NETLINK_ROUTE, and a sockaddr_nl by its bytes.
      let descriptor = socket(
        16, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      guard descriptor >= 0 else { return nil }
      var address = Address(groups: Address.link | Address.ipv4 | Address.ipv6)
      let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
        }
      }
      guard isBound else {
        close(descriptor)
        return nil
      }
      source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "toteboard.network"))
      source.setEventHandler {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
        onChange()
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
    }

    deinit { source.cancel() }

    /// struct sockaddr_nl.
    private struct Address {
      static let link: UInt32 = 0x1
      static let ipv4: UInt32 = 0x10
      static let ipv6: UInt32 = 0x100

      let family: UInt16 = 16
      let padding: UInt16 = 0
      let port: UInt32 = 0
      let groups: UInt32

      init(groups: UInt32) { self.groups = groups }
    }
  #else
    package init?(onChange: @escaping @Sendable () -> Void) { return nil }
  #endif
}
