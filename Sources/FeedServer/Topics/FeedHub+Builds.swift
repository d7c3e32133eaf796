import Dispatch
import NIOCore
import OddsModel
import Platform

/// The lists of the REST interface and the conflated messages, each made one at a time on a queue of their own.
extension FeedHub {
  /// Completes with the current REST snapshot of a topic.
  func page(of topic: Topic, from address: String, completion: @escaping Completion<RESTSnapshot>) {
    let now = NIODeadline.now()
    switch work.begin(address, now: now) {
    case .begun: break
    case .crowded: return completion(.failure(.spent(1)))
    case .spent(let next):
      return completion(.failure(.spent(Int((next - now).nanoseconds / 1_000_000_000) + 1)))
    }
    let end: Completion<RESTSnapshot> = { result in
      self.work.end(address)
      completion(result)
    }
    resolve(topic, end) { topic in
      self.dump(of: topic, address, isFollowed: false) { result in
        switch result {
        case .failure(let error): end(.failure(error))
        case .success(let dump): self.page(of: topic, dump, address, end)
        }
      }
    }
  }

  private func page(
    of topic: Topic, _ dump: TopicDump, _ address: String, _ completion: @escaping Completion<RESTSnapshot>
  ) {
    if let known = state.withLock({ $0.pages[topic] }), known.moment == dump.moment {
      return completion(.success(known.page))
    }
    pages.value(of: PageKey(topic: topic, moment: dump.moment), completion: completion) { done in
      self.build(on: self.listBuilder, for: address) {
        RESTSnapshot(dump: dump.payload)
      } completion: { page in
        self.state.withLock { $0.store(page, of: topic, moment: dump.moment) }
        done(.success(page))
      }
    }
  }

  struct PageKey: Hashable, Sendable {
    let topic: Topic
    let moment: UInt64
  }

  /// A conflated message.
  struct Conflated: Sendable {
    let range: TopicLog.Conflation
    /// Nil if a dump is needed instead.
    let message: ByteBuffer?
  }

  /// Completes with one message that has the effect of a range of a topic's messages, or of another range: one range of
  /// a topic is conflated at a time, for all who ask meanwhile. `TopicError.spent` if the address has no processor
  /// time.
  func conflate(
    _ range: TopicLog.Conflation, of log: TopicLog, from address: String, completion: @escaping Completion<Conflated>
  ) {
    if let known = log.conflated(range) { return completion(.success(Conflated(range: range, message: known))) }
    conflations.value(of: ObjectIdentifier(log), completion: completion) { done in
      let start = self.work.begin(address, now: .now(), countsReserved: false)
      guard start == .begun else { return done(.failure(.spent(1))) }
      self.build(on: self.builder, for: address) {
        log.conflate(range)
      } completion: {
        self.work.end(address)
        done(.success(Conflated(range: range, message: $0)))
      }
    }
  }

  /// Runs `body` on a queue and charges its processor time to an address.
  private func build<Value>(
    on queue: DispatchQueue, for address: String, _ body: @escaping @Sendable () -> Value,
    completion: @escaping @Sendable (Value) -> Void
  ) {
    queue.async {
      let start = TopicWork.ofThread
      let value = body()
      self.work.charge(address, TopicWork(since: start), now: .now())
      completion(value)
    }
  }
}

extension FeedHub.State {
  /// Stores a page. If the pages become too large, drops all others.
  fileprivate mutating func store(_ page: RESTSnapshot, of topic: Topic, moment: UInt64) {
    dropPage(of: topic)
    if pageBytes + page.keptBytes(of: topic) > FeedHub.maxPageBytes {
      pages = [:]
      pageBytes = 0
    }
    pages[topic] = (moment, page)
    pageBytes += page.keptBytes(of: topic)
  }

  mutating func dropPage(of topic: Topic) {
    if let old = pages.removeValue(forKey: topic)?.page { pageBytes -= old.keptBytes(of: topic) }
  }
}

extension RESTSnapshot {
  /// The memory that a kept snapshot takes, in bytes, with an estimate of what surrounds it.
  fileprivate func keptBytes(of topic: Topic) -> Int { byteCount + topic.path.utf8.count + 512 }
}
