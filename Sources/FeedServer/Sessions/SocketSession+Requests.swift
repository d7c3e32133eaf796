import CoreMetrics
import EveryMatrix
import FeedSimulator
import NIOCore
import OddsModel

/// Requests that the hub completes later. One is in progress at a time; the others of the client wait.
extension SocketSession {
  func join(_ topic: Topic, _ request: UInt64) {
    process { session, done in
      session.dependencies.hub.join(topic, from: session.address) { result in done { $0.joined(topic, request, result) }
      }
    }
  }

  private func joined(_ topic: Topic, _ request: UInt64, _ result: Result<FeedHub.Joined, TopicError>) {
    switch result {
    case .success(let joined):
      if isClosing { return dependencies.hub.leave(joined.topic, joined.log) }
      let (registration, answer) = conversation.joined(topic, request: request)
      send(answer)
      subscriptions.append(
        Subscription(topic: joined.topic, registration: registration, log: joined.log, cursor: joined.last))
      // Messages, or the end of the topic, may have come before this session was among its subscribers.
      flush()
    case .failure(let error):
      dependencies.metrics.refused(error.isPermanent ? .request : .topics)
      send(conversation.refuseJoin(request, error.uri, "\(error.problem(topic)): \(error.remedy)"))
    }
  }

  func answerDump(of topic: Topic, _ request: UInt64) {
    process { session, done in
      session.dependencies.hub.reserveDump(of: topic, from: session.address) { result in
        done { session in
          switch result {
          case .failure(let error): session.refuseDump(of: topic, request, error)
          case .success(let (topic, dump)): session.send(dump, of: topic, request)
          }
        }
      }
    }
  }

  private func refuseDump(of topic: Topic, _ request: UInt64, _ error: TopicError) {
    if !error.isPermanent { dependencies.metrics.refused(.busy) }
    send(conversation.refuseDump(request, error.uri, "\(error.problem(topic)): \(error.remedy)"))
  }

  private func send(_ dump: TopicDump, of topic: Topic, _ request: UInt64) {
    // First the messages that the dump includes: a client that compares its state with the dump finds no difference.
    flush()
    // The subscription continues after the messages that the dump includes. The client may have had later ones: they
    // are sent again, because the dump replaces its state. NB: Set before the write, which can write updates too.
    for index in subscriptions.indices where subscriptions[index].topic == topic {
      subscriptions[index].cursor = dump.last
      subscriptions[index].behindSince = nil
      dropCatchUp(index)
    }
    send(WAMPMessage.resultHead(request: request), dump.payload, countedAs: address)
    dependencies.metrics.dumps.increment()
    flush()
  }

  /// Waits until the client's address can be served, calls `body`, and processes the next request once the first
  /// call of `done` has run its argument on the event loop.
  private func process(
    _ body:
      @escaping (SocketSession, _ done: @escaping @Sendable (@escaping @Sendable (SocketSession) -> Void) -> Void) ->
      Void
  ) {
    guard let context else { return }
    isBusy = true
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    let done: @Sendable (@escaping @Sendable (SocketSession) -> Void) -> Void = { finish in
      this.eventLoop.execute {
        let session = this.value
        session.dependencies.hub.work.end(session.address)
        session.isBusy = false
        finish(session)
        if let context = session.context, !session.isClosing { session.answerWaiting(context) }
      }
    }
    whenServed { body($0, done) }
  }

  /// Calls `body` at once, or when the client's address has processor time again.
  private func whenServed(_ body: @escaping (SocketSession) -> Void) {
    guard let context else { return }
    let retry = NIOLoopBound((self, body), eventLoop: context.eventLoop)
    let start = dependencies.hub.work.begin(address, now: context.eventLoop.now) {
      retry.eventLoop.execute {
        let (session, body) = retry.value
        session.whenServed(body)
      }
    }
    switch start {
    case .begun: body(self)
    case .crowded: break
    case .spent(let time):
      workTimer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [weak self] in
        self?.whenServed(body)
      }
    }
  }
}

extension TopicError {
  fileprivate var uri: String {
    switch self {
    case .unknown, .refused, .tooLarge: WAMPMessage.URI.invalidArgument
    case .failed, .tooMany, .busy, .spent: WAMPMessage.URI.limit
    case .lost: WAMPMessage.URI.noBackend
    }
  }
}
