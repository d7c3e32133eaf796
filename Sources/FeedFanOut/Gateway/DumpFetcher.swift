internal import NIOCore
internal import OddsModel
internal import Platform

/// Fetches dumps from the book over NATS.
final class DumpFetcher: Sendable {
  struct Fetched: Sendable {
    let dump: ReplicaDump
    let identity: BookIdentity
  }

  typealias Completion = @Sendable (Result<Fetched, BookError>) -> Void

  private struct Fetch: Sendable {
    var transfer: DumpTransfer
    let isOpening: Bool
    let isShared: Bool
    let isForList: Bool
    var completions: [Completion]
  }

  private struct State {
    var fetches: [Topic: [UInt64: Fetch]] = [:]
    /// The number of fetches in progress.
    var count = 0
    /// The number of the last fetch.
    var last: UInt64 = 0
  }

  /// The number of parts that a fetch awaits at a time if there is no other.
  static let maxWindow = 64

  private let connection: NATSConnection
  private let subjects: Subjects
  private let gateway: UInt64
  private let timing: GatewayTiming
  private let serial = Locked<UInt64>(0)
  private let state = Locked(State())

  init(_ connection: NATSConnection, _ subjects: Subjects, gateway: UInt64, timing: GatewayTiming) {
    self.connection = connection
    self.subjects = subjects
    self.gateway = gateway
    self.timing = timing
  }

  /// Returns the serial of the gateway's next message.
  func nextSerial() -> UInt64 {
    serial.withLock { serial in
      serial += 1
      return serial
    }
  }

  /// Fetches a dump that includes message `minimum`.
  ///
  /// - Parameters:
  ///   - isOpening: True if the gateway has just subscribed to the updates: the dump includes all messages so far.
  ///   - isShared: True to await a dump that another shared fetch of the topic has asked for.
  ///   - isForList: True if the book may build other dumps first.
  ///   - completion: Called once, on any thread.
  func fetch(
    _ topic: Topic, minimum: UInt64, isOpening: Bool = false, isShared: Bool = false, isForList: Bool = false,
    completion: @escaping Completion
  ) {
    let begun: (number: UInt64, actions: [DumpTransfer.Action])? = state.withLock { state in
      if isShared, let number = state.fetches[topic]?.first(where: { $0.value.isShared })?.key {
        state.fetches[topic]![number]!.completions.append(completion)
        return nil
      }
      state.last += 1
      state.count += 1
      // Fetches at the same time await fewer parts each: about 300 in total, and one more for each beyond 64.
      let transfer = DumpTransfer(window: max(1, Self.maxWindow / state.count))
      let fetch = Fetch(
        transfer: transfer, isOpening: isOpening, isShared: isShared, isForList: isForList, completions: [completion])
      state.fetches[topic, default: [:]][state.last] = fetch
      return (state.last, fetch.transfer.start())
    }
    if let begun { perform(begun.actions, topic, begun.number, minimum, .lost) }
  }

  private func perform(
    _ actions: [DumpTransfer.Action], _ topic: Topic, _ number: UInt64, _ minimum: UInt64, _ error: BookError
  ) {
    for action in actions {
      switch action {
      case .request(let dump, let part): request(topic, number, dump: dump, part: part, minimum: minimum)
      case .complete(let payload, let identity, let last):
        let dump = ReplicaDump(payload: payload, last: last)
        finish(topic, number, .success(Fetched(dump: dump, identity: identity)))
      case .failed: finish(topic, number, .failure(error))
      }
    }
  }

  private func request(_ topic: Topic, _ number: UInt64, dump: UInt64, part: UInt16, minimum: UInt64) {
    let (isOpening, isForList) = state.withLock { state in
      let fetch = state.fetches[topic]?[number]
      return (fetch?.isOpening ?? false, fetch?.isForList ?? false)
    }
    let request = DumpRequest(
      topic, gateway: gateway, serial: nextSerial(), dump: dump, part: part, minimum: minimum, isOpening: isOpening,
      isForList: isForList)
    let timeout = part == 0 ? timing.dumpTimeout : timing.partTimeout
    connection.request(request.encoded, to: subjects.dump, timeout: timeout) { [weak self] result in
      var error = BookError.lost
      let actions: [DumpTransfer.Action]? = self?.state.withLock { state in
        guard var transfer = state.fetches[topic]?[number]?.transfer else { return [] }
        defer { state.fetches[topic]?[number]?.transfer = transfer }
        guard let payload = try? result.get(), let frame = FeedFrame(payload) else {
          return transfer.timedOut(part: part)
        }
        switch frame.kind {
        case .dump: return transfer.receive(frame, part: part)
        default:
          error = BookError(FeedFrame.Refusal(frame.body))
          return transfer.fail()
        }
      }
      if let actions { self?.perform(actions, topic, number, minimum, error) }
    }
  }

  private func finish(_ topic: Topic, _ number: UInt64, _ result: Result<Fetched, BookError>) {
    let completions = state.withLock { state in
      let fetch = state.fetches[topic]?.removeValue(forKey: number)
      if fetch != nil { state.count -= 1 }
      if state.fetches[topic]?.isEmpty == true { state.fetches[topic] = nil }
      return fetch?.completions ?? []
    }
    for completion in completions { completion(result) }
  }
}
