import CLibrary
import Dispatch

/// Reports changes of the machine's links and addresses, after which a pending reconnection can be tried at once.
///
/// Linux only, by rtnetlink(7). On other systems the initializer returns nil, and reconnections wait in full.
package final class NetworkWatch {
  #if os(Linux)
    private let source: any DispatchSourceRead

    /// Calls `onChange` after each change, on a private queue. Returns nil if the system does not report changes.
    package init?(onChange: @escaping @Sendable () -> Void) {
      // NB: linux/netlink.h is not part of the C library's module. 16 is AF_NETLINK, 0 is NETLINK_ROUTE, and `Address`
      // has the layout of sockaddr_nl.
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

    /// The layout of `struct sockaddr_nl`.
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
