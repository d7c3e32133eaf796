import JSONText

extension WAMPMessage {
  /// The JSON of a message without its payload.
  package var text: [UInt8] {
    var json = JSONWriter(capacity: 128)
    json.openArray()
    write(into: &json)
    json.closeArray()
    return json.bytes
  }

  /// Returns the JSON of a RESULT with its payload.
  package static func result(request: UInt64, payload: [UInt8]) -> [UInt8] {
    WAMPMessage.head(Code.result, [request], reserving: payload.count) + payload + [UInt8(ascii: "]")]
  }

  /// Returns the JSON of a RESULT up to its payload; the payload and `]` follow. All receivers share the payload.
  package static func resultHead(request: UInt64) -> [UInt8] { head(Code.result, [request], reserving: 0) }

  /// Returns the JSON of an INVOCATION up to its payload; the payload and `]` follow. All receivers share the payload.
  package static func invocationHead(request: UInt64, registration: UInt64) -> [UInt8] {
    head(Code.invocation, [request, registration], reserving: 0)
  }

  private static func head(_ code: UInt64, _ ids: [UInt64], reserving count: Int) -> [UInt8] {
    var json = JSONWriter(capacity: 48 + count)
    json.openArray()
    json.elements([code] + ids)
    json.element(json: "{}")
    json.element(json: "[]")
    return json.bytes + [UInt8(ascii: ",")]
  }

  private func write(into json: inout JSONWriter) {
    switch self {
    case .hello(let realm):
      json.elements([Code.hello])
      json.element(realm)
      json.element(json: #"{"agent":"toteboard","roles":{"caller":{},"callee":{}}}"#)
    case .welcome(let session):
      json.elements([Code.welcome, session])
      json.element(json: #"{"agent":"toteboard","roles":{"broker":{},"dealer":{}}}"#)
    case .abort(let reason, let text):
      json.elements([Code.abort])
      json.element(message: text)
      json.element(reason)
    case .goodbye(let reason):
      json.elements([Code.goodbye])
      json.element(json: "{}")
      json.element(reason)
    case .error(let type, let request, let uri, let text):
      json.elements([Code.error, type, request])
      json.element(message: text)
      json.element(uri)
    case .call(let request, let procedure, let topic):
      json.elements([Code.call, request])
      json.element(json: "{}")
      json.element(procedure)
      json.element(json: "[]")
      json.object { if let topic { $0.field("topic", topic) } }
    case .result(let request, _):
      json.elements([Code.result, request])
      json.element(json: "{}")
    case .register(let request, let procedure):
      json.elements([Code.register, request])
      json.element(json: "{}")
      json.element(procedure)
    case .registered(let request, let registration): json.elements([Code.registered, request, registration])
    case .unregister(let request, let registration): json.elements([Code.unregister, request, registration])
    case .unregistered(let request): json.elements([Code.unregistered, request])
    case .invocation(let request, let registration, _):
      json.elements([Code.invocation, request, registration])
      json.element(json: "{}")
    case .yield(let request):
      json.elements([Code.yield, request])
      json.element(json: "{}")
    case .other(let type): json.elements([type])
    }
  }
}

extension JSONWriter {
  fileprivate mutating func elements(_ values: [UInt64]) {
    for value in values { element(Int64(clamping: value)) }
  }

  fileprivate mutating func element(message: String) { object { if !message.isEmpty { $0.field("message", message) } } }
}
