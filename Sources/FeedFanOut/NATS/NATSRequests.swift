internal import CNATS
internal import Dispatch
package import NIOCore
internal import Platform

/// The requests of a connection that wait for an answer. All answers come by one subscription to an inbox.
final class NATSRequests: Sendable {
  typealias Completion = @Sendable (Result<ByteBuffer, NATSError>) -> Void

  private struct State {
    var inbox: NATSSubscription?
    var pending: [UInt64: Completion] = [:]
    var last: UInt64 = 0
  }

  private let state = Locked(State())
  private let timer = DispatchQueue(label: "toteboard.nats.requests")
  /// The subject of answers, without the number of the request.
  private let prefix: String

  init() {
    var inbox: UnsafeMutablePointer<CChar>?
    natsInbox_Create(&inbox)
    prefix = inbox.map { String(cString: $0) + "." } ?? "_INBOX.\(UInt64.random(in: .min ... .max))."
    natsInbox_Destroy(inbox)
  }

  deinit {
    let error = NATSError(.closed, "'\(prefix)': the connection to NATS is closed: open another one")
    for completion in state.withLock({ $0.pending.values }) { completion(.failure(error)) }
  }

  /// Subscribes to the inbox, at the first request. NB: not when the connection begins: libnats reports its connection
  /// as closed for a moment whenever an attempt to connect fails.
  func start(_ connection: NATSConnection) throws(NATSError) {
    try state.withLock { state throws(NATSError) in
      if state.inbox != nil { return }
      // NB: weak, because the connection owns the requests.
      state.inbox = try connection.subscribe("\(prefix)*") { [weak self] message in
        guard let self, let number = UInt64(message.subject.dropFirst(prefix.count)) else { return }
        let error = NATSError(.noResponders, "'\(prefix)\(number)': nobody answers: check that a book runs")
        complete(number, message.isNoResponders ? .failure(error) : .success(message.payload))
      }
    }
  }

  /// Adds a request. Returns its number and the subject of its answer.
  func add(
    subject: String, timeout: Duration, completion: @escaping Completion
  ) -> (number: UInt64, reply: String) {
    let number = state.withLock { state in
      state.last += 1
      state.pending[state.last] = completion
      return state.last
    }
    timer.asyncAfter(deadline: .now() + .milliseconds(Int(timeout.milliseconds))) { [weak self] in
      let message = "'\(subject)': no answer in time: check that a book runs"
      self?.complete(number, .failure(NATSError(.timedOut, message)))
    }
    return (number, prefix + "\(number)")
  }

  /// Completes a request. Has no effect if it was completed before.
  func complete(_ number: UInt64, _ result: Result<ByteBuffer, NATSError>) {
    let completion = state.withLock { $0.pending.removeValue(forKey: number) }
    completion?(result)
  }
}

extension NATSConnection {
  /// Sends a request and returns at once.
  ///
  /// - Parameter completion: Called once, on any thread, with the first answer; with `noResponders` if nobody
  ///   subscribes to the subject, with `timedOut` after `timeout`, or with the error of sending.
  package func request(
    _ payload: ByteBuffer, to subject: String, timeout: Duration,
    completion: @escaping @Sendable (Result<ByteBuffer, NATSError>) -> Void
  ) {
    let (number, reply) = requests.add(subject: subject, timeout: timeout, completion: completion)
    do throws(NATSError) {
      try requests.start(self)
      try publish(payload, to: subject, reply: reply)
    } catch {
      requests.complete(number, .failure(error))
    }
  }
}
