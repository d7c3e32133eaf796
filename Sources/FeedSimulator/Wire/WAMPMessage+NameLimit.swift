package import EveryMatrix

extension WAMPMessage {
  /// The maximum length of a topic or a procedure in a client's request, in bytes of UTF-8: room for 200 offers.
  package static let maxNameLength = 4096

  /// The ERROR that refuses a request because its topic or its procedure is too long. Nil for other messages.
  package var nameRefusal: WAMPMessage? {
    switch self {
    case .register(let request, let topic) where topic.isTooLong:
      Self.refusal(of: "topic", topic, Code.register, request, URI.invalidURI)
    case .call(let request, let procedure, _) where procedure.isTooLong:
      Self.refusal(of: "procedure", procedure, Code.call, request, URI.invalidURI)
    case .call(let request, _, let topic?) where topic.isTooLong:
      Self.refusal(of: "topic", topic, Code.call, request, URI.invalidArgument)
    default: nil
    }
  }

  private static func refusal(
    of kind: String, _ name: String, _ type: UInt64, _ request: UInt64, _ uri: String
  ) -> WAMPMessage {
    let text =
      "\(kind) '\(name.excerpt)' has \(name.utf8.count) bytes: send names of at most '\(maxNameLength)' bytes"
    return .error(type: type, request: request, uri: uri, text: text)
  }
}

extension String {
  /// The text for an error message: at most 128 Unicode scalars, and `…` if there are more.
  package var excerpt: String {
    let end = unicodeScalars.index(startIndex, offsetBy: 128, limitedBy: endIndex) ?? endIndex
    return end == endIndex ? self : self[..<end] + "…"
  }

  fileprivate var isTooLong: Bool { utf8.count > WAMPMessage.maxNameLength }
}
