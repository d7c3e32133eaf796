import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A reserved port of loopback: it is bound but not listened on, so connections are refused. No other process gets it
/// by chance. A process that asks for its number and can share an address can listen on it.
package final class ReservedPort: Sendable {
  package let number: Int
  private let socket: CInt

  package init() {
    #if canImport(Darwin)
      socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #else
      socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #endif
    let socket = socket
    var isShared: CInt = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<CInt>.size))
    let isBound = try? SocketAddress(ipAddress: "127.0.0.1", port: 0).withSockAddr { address, size in
      bind(socket, address, socklen_t(size)) == 0
    }
    // NB: The port is read from the bytes of the address, because the C module that declares sockaddr_in depends on the
    // files that are compiled beside this one.
    let room = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 8)
    defer { room.deallocate() }
    var size = socklen_t(128)
    let isKnown = getsockname(socket, room.bindMemory(to: sockaddr.self, capacity: 1), &size) == 0
    precondition(isBound == true && isKnown, "no port to be had")
    number = Int(UInt16(bigEndian: room.load(fromByteOffset: 2, as: UInt16.self)))
  }

  deinit { close(socket) }
}
