import CLibrary
import Dispatch
import Platform

/// A web server on loopback that answers each connection's request as a script says, one connection at a time.
final class ScriptedServer: Sendable {
  enum Reply: Sendable {
    /// The bytes are sent, and the connection is closed.
    case bytes(String)
    /// Nothing is sent until the client disconnects.
    case silence
  }

  let port: Int
  private let listener: Int32
  private let received = Locked<[String]>([])
  private let thread = DispatchQueue(label: "scripted-server")

  /// The requests so far, each with its body.
  var requests: [String] { received.withLock { $0 } }

  /// Starts the server. `script` gets the number of the request, from 0.
  init(_ script: @escaping @Sendable (Int) -> Reply) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(listener, address, size)
        _ = listen(listener, 64)
        _ = getsockname(listener, address, &size)
      }
    }
    self.listener = listener
    port = Int(in_port_t(bigEndian: address.sin_port))
    thread.async { [listener, received] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        Self.serve(client, received, script)
        close(client)
      }
    }
  }

  /// Ends the server, after the connection that it serves.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    thread.sync {}
    close(listener)
  }

  private static func serve(_ client: Int32, _ received: Locked<[String]>, _ script: (Int) -> Reply) {
    var text: [UInt8] = []
    while !isWhole(text) { if !readMore(client, &text) { return } }
    let request = String(decoding: text, as: UTF8.self)
    let number = received.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    switch script(number) {
    case .silence: while readMore(client, &text) {}
    case .bytes(let answer): _ = send(client, Array(answer.utf8), answer.utf8.count, Int32(MSG_NOSIGNAL))
    }
  }

  private static func readMore(_ client: Int32, _ text: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(client, &buffer, buffer.count)
    if count > 0 { text += buffer[..<count] }
    return count > 0
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n"), let field = text.firstRange(of: "Content-Length: ") else {
      return false
    }
    return text[end.upperBound...].utf8.count >= Int(text[field.upperBound...].prefix { $0.isNumber }) ?? 0
  }

  static func answer(_ status: String, _ fields: String..., body: String = "") -> Reply {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields + ["", body]
    return .bytes(head.joined(separator: "\r\n"))
  }
}
