import AccountModel
import OddsFeed
import OddsModel
import Platform
import TestSupport

/// The account side of a feed, in memory: one user, alice, whose password is "pw".
final class ScriptedAccountServer: AccountTransport {
  struct State {
    var tokens: Set<String> = []
    var sessions = 0
    /// The streams by token.
    var streams: [String: [WeakStream]] = [:]
    var opened = 0
    /// Overrides the answer to a request; nil keeps the default.
    var answer: (@Sendable (AccountRequest) -> Result<AccountAnswer, ConnectionError>?)?
  }

  struct WeakStream { weak var stream: ScriptedStream? }

  let state = Locked(State())
  private let recorder = EventRecorder<String>()
  /// The duration of a session, in milliseconds; nil if it does not end.
  private let sessionDuration: Int64?
  private let wall: @Sendable () -> Int64

  init(sessionDuration: Int64? = nil, wall: @escaping @Sendable () -> Int64 = { 0 }) {
    self.sessionDuration = sessionDuration
    self.wall = wall
  }

  static let unreachableError = ConnectionError(.unreachable, FeedError("nobody there", remedy: "wait"))

  /// The requests in order of arrival, such as "POST /api/login".
  var requests: [String] { recorder.elements }
  var openStreams: [ScriptedStream] {
    state.withLock { $0.streams.values.joined().compactMap(\.stream).filter { !$0.isOver } }
  }

  /// Returns once the requests fulfil the condition. The overriding answer to the last one is known then.
  func waitForRequests(_ isMet: @escaping @Sendable ([String]) -> Bool) async throws {
    try await recorder.wait(until: isMet)
  }

  /// Records a request. Returns the answer that overrides the default.
  private func record(_ request: AccountRequest) -> Result<AccountAnswer, ConnectionError>? {
    let answer = state.withLock({ $0.answer })?(request)
    recorder.add("\(request.method.rawValue) \(request.path)")
    return answer
  }

  func ask(_ request: AccountRequest) async throws(ConnectionError) -> AccountAnswer {
    if let answer = record(request) { return try answer.get() }
    return state.withLock { state in
      switch request.path {
      case AccountPath.login:
        return request.body?.text == #"{"user":"alice","password":"pw"}"#
          ? createSession(&state) : AccountAnswer(status: 401)
      case _ where request.token.map { !state.tokens.contains($0.text) } ?? true: return AccountAnswer(status: 401)
      case AccountPath.renew:
        state.tokens.remove(request.token!.text)
        return createSession(&state)
      case AccountPath.logout:
        state.tokens.remove(request.token!.text)
        return AccountAnswer(status: 204)
      case AccountPath.wallet(of: "alice-id"):
        return AccountAnswer(
          status: 200, body: Array(#"{"userId":"alice-id","currency":"EUR","Real":100.5,"Bonus":1}"#.utf8))
      default: return AccountAnswer(status: 404)
      }
    }
  }

  private func createSession(_ state: inout State) -> AccountAnswer {
    state.sessions += 1
    let token = "sEcrEt-\(state.sessions)"
    state.tokens.insert(token)
    let expires = sessionDuration.map { #","expiresAt":\#(wall() + $0)"# } ?? ""
    return AccountAnswer(
      status: 200,
      body: Array(#"{"token":"\#(token)","userId":"alice-id","sessionId":"s\#(state.sessions)"\#(expires)}"#.utf8))
  }

  func open(_ request: AccountRequest) async throws(ConnectionError) -> any EventStreamConnection {
    if case .failure(let fault)? = record(request) { throw fault }
    let stream = state.withLock { state -> ScriptedStream? in
      guard let token = request.token?.text, state.tokens.contains(token) else { return nil }
      let stream = ScriptedStream()
      state.opened += 1
      state.streams[token, default: []].removeAll { $0.stream == nil }
      state.streams[token, default: []].append(WeakStream(stream: stream))
      return stream
    }
    guard let stream else { throw ConnectionError(.unauthorized, FeedError("no", remedy: "log in")) }
    return stream
  }

  /// Ends all sessions, and sends the reason on the open streams.
  func expireSessions(_ reason: String = "Expired", code: Int = 1) {
    let streams = openStreams
    state.withLock { state in
      state.tokens = []
      state.streams = [:]
    }
    for stream in streams {
      stream.send(
        #"{"type":"SESSION_EXPIRATION","body":{"userId":"alice-id","exitReason":"\#(reason)","exitReasonCode":\#(code)}}"#
      )
    }
  }

  func sendPosting(_ id: Int, real: String) {
    for stream in openStreams {
      stream.send(
        #"{"type":"BALANCE_UPDATE_V2","body":{"userId":"alice-id","currency":"EUR","operationType":0,"postingId":\#(id),"balanceChange":{"Real":{"affectedAmount":1,"afterAmount":\#(real)}}}}"#
      )
    }
  }
}

/// The account side's end of a stream.
final class ScriptedStream: EventStreamConnection {
  private struct State {
    var bytes: [UInt8] = []
    var reader: CheckedContinuation<[UInt8]?, Never>?
    var isOver = false
  }

  private let state = Locked(State())

  var isOver: Bool { state.withLock { $0.isOver } }

  func send(_ json: String) { send(bytes: Array("data: \(json)\n\n".utf8)) }

  func send(bytes: [UInt8]) {
    state.withLock { state -> CheckedContinuation<[UInt8]?, Never>? in
      if state.isOver { return nil }
      guard let reader = state.reader.take() else {
        state.bytes += bytes
        return nil
      }
      return reader
    }?.resume(returning: bytes)
  }

  func read() async throws(ConnectionError) -> [UInt8]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let next = state.withLock { state -> [UInt8]?? in
          if !state.bytes.isEmpty {
            defer { state.bytes = [] }
            return .some(state.bytes)
          }
          if state.isOver || Task.isCancelled { return .some(nil) }
          state.reader = continuation
          return nil
        }
        if let next { continuation.resume(returning: next) }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume(returning: nil)
    }
  }

  func close() {
    state.withLock { state in
      state.isOver = true
      return state.reader.take()
    }?.resume(returning: nil)
  }
}
