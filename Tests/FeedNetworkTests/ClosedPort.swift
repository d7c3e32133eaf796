#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A port of loopback that refuses, and that nobody else gets meanwhile: it is bound, and not listened at.
final class ClosedPort {
  let number: Int
  private let socket: CInt

  init() {
    #if canImport(Darwin)
      socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #else
      socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
      }
    }
    precondition(isBound, "no port to be had")
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(socket) }
}
