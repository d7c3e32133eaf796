import NIOCore

/// An answer over HTTP.
struct Answer {
  let status: Int
  let body: [UInt8]
  private let headers: [String: String]

  /// Asks, on a connection of its own.
  init(_ port: Int, _ path: String, _ headers: [String] = []) async throws {
    let client = try await RawClient(to: port)
    client.send((["GET \(path) HTTP/1.1", "Host: localhost"] + headers + ["", ""]).joined(separator: "\r\n"))
    let lines = (await client.read(through: "\r\n\r\n") ?? "").split(separator: "\r\n")
    status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    self.headers = lines.dropFirst().reduce(into: [:]) { result, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      result[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
    }
    let count = self.headers["content-length"].flatMap(Int.init) ?? 0
    body = count > 0 ? await client.read(count) ?? [] : []
  }

  subscript(_ header: String) -> String? { headers[header] }
  var text: String { String(decoding: body, as: UTF8.self) }
}
