import NIOCore

/// An HTTP response.
package struct HTTPResponse {
  /// The status code; 0 if the server has closed the connection without a response, or the response has no code.
  package let status: Int
  /// The body as far as `Content-Length` states it; empty without that header.
  package let body: [UInt8]
  private let headers: [String: String]

  /// Sends a GET request on a new connection.
  package init(_ port: Int, _ path: String, _ headers: [String] = [], host: String = "localhost") async throws {
    try await self.init(port, "GET \(path) HTTP/1.1", ["Host: \(host)"] + headers, "")
  }

  /// Sends a POST request on a new connection; JSON unless `type` is another content type, or nil for none.
  package init(
    _ port: Int, post path: String, _ headers: [String] = [], _ body: String = "", type: String? = "application/json"
  ) async throws {
    let fields =
      ["Host: localhost", "Content-Length: \(body.utf8.count)"] + headers + (type.map { ["Content-Type: \($0)"] } ?? [])
    try await self.init(port, "POST \(path) HTTP/1.1", fields, body)
  }

  private init(_ port: Int, _ line: String, _ fields: [String], _ text: String) async throws {
    let client = try await RawClient(to: port)
    client.send(([line] + fields + ["", text]).joined(separator: "\r\n"))
    let lines = (await client.read(through: "\r\n\r\n") ?? "").split(separator: "\r\n")
    status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    self.headers = lines.dropFirst().reduce(into: [:]) { result, line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      result[line[..<colon].lowercased()] = line[colon...].dropFirst().drop { $0 == " " }.description
    }
    let count = self.headers["content-length"].flatMap(Int.init) ?? 0
    body = count > 0 ? await client.read(count) ?? [] : []
  }

  package subscript(_ header: String) -> String? { headers[header] }
  package var text: String { String(decoding: body, as: UTF8.self) }
}
