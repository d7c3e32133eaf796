import Dispatch
import NIOCore
import OddsModel
import Platform

/// The dumps of topics.
extension FeedHub {
  struct DumpKey: Hashable, Sendable {
    let topic: Topic
    /// The log of the topic; nil if it is not open.
    let log: ObjectIdentifier?
    /// True for the lists of an open topic. Its subscribers do not wait for the dump of a list.
    let isForList: Bool
  }

  /// Completes with a dump of a topic for a client that also gets the messages after it, and the topic's canonical
  /// form. The dump can be some messages old. Its bytes are reserved in `unsent`; the caller releases them.
  func reserveDump(
    of topic: Topic, from address: String, completion: @escaping Completion<(topic: Topic, dump: TopicDump)>
  ) {
    resolve(topic, completion) { topic in
      self.reserveDump(ofCanonical: topic, from: address) { completion($0.map { (topic, $0) }) }
    }
  }

  /// The same, of a canonical topic.
  func reserveDump(ofCanonical topic: Topic, from address: String, completion: @escaping Completion<TopicDump>) {
    followedDump(of: topic, address) { result in
      guard case .success(let dump) = result else { return completion(result) }
      let bytes = dump.payload.readableBytes
      if self.unsent.reserve(bytes, of: address) { return completion(result) }
      // NB: Does not keep the dump while it waits, because many clients would keep many dumps.
      self.unsent.reserve(bytes, of: address) {
        // NB: On a queue, because one grant can cause the next.
        self.grants.async {
          self.followedDump(of: topic, address) { result in
            let now = (try? result.get())?.payload.readableBytes ?? 0
            self.unsent.change(bytes, to: now, of: address)
            completion(result)
          }
        }
      }
    }
  }

  /// Completes with a dump of a canonical topic for a client. Fails if it is too large for one.
  private func followedDump(of topic: Topic, _ address: String, completion: @escaping Completion<TopicDump>) {
    dump(of: topic, address, isFollowed: true) { [limit = limits.dumpSize] result in
      completion(result.flatMap { $0.payload.readableBytes > limit ? .failure(.tooLarge(limit)) : .success($0) })
    }
  }

  /// Completes with a dump of a canonical topic. That of a topic that is being opened waits until it is open.
  func dump(of topic: Topic, _ address: String, isFollowed: Bool, completion: @escaping Completion<TopicDump>) {
    enum Step { case wait, dump(TopicLog?, DumpCache.Entry?) }
    let step: Step = state.withLock { state in
      closeIfEnded(topic, &state)
      guard let open = state.topics[topic] else { return .dump(nil, state.dumps.entry(of: topic, nil)) }
      if open.waiting == nil { return .dump(open.log, state.dumps.entry(of: topic, open.log)) }
      // The limits of requests bound the number of these: each is that of a request in progress.
      state.topics[topic]!.waiting!.append { result in
        switch result {
        case .failure(let error): completion(.failure(error))
        // NB: From the beginning: the subscribers may have left meanwhile.
        case .success: self.dump(of: topic, address, isFollowed: isFollowed, completion: completion)
        }
      }
      return .wait
    }
    switch step {
    case .wait: hasten(topic, for: address)
    case .dump(let log, let known): dump(of: topic, log, known, address, isFollowed: isFollowed, completion)
    }
  }

  /// - Parameters:
  ///   - log: The log of the topic; nil if it is not open.
  ///   - entry: The dump that is kept of the topic.
  private func dump(
    of topic: Topic, _ log: TopicLog?, _ entry: DumpCache.Entry?, _ address: String, isFollowed: Bool,
    _ completion: @escaping Completion<TopicDump>
  ) {
    if isFollowed, let log, let entry, isUsable(entry, log) { return completion(.success(entry.dump)) }
    if log == nil { hasten(topic, for: address) }
    let known = entry?.dump
    let key = DumpKey(topic: topic, log: log.map { ObjectIdentifier($0) }, isForList: log != nil && !isFollowed)
    dumps.value(of: key, isRefusable: !isFollowed, completion: completion) { done in
      let store: Completion<TopicDump> = { result in
        if case .success(let dump) = result, dump.moment != known?.moment {
          self.work.charge(address, dump.work, now: .now())
          self.state.withLock { state in
            // A dump that was made for a list can come after a later one.
            let last = state.dumps.entry(of: topic, log)?.dump.last ?? 0
            if state.topics[topic]?.log === log, last <= dump.last {
              state.dumps.store(dump, of: topic, log, now: .now())
            }
          }
        }
        done(result)
      }
      if log != nil { return self.source.dump(of: topic, known: known, isForList: !isFollowed, completion: store) }
      self.open(topic, for: address, isJoined: false, done: store) { [source = self.source] in
        source.dump(of: topic, known: known, isForList: !isFollowed, completion: $0)
      }
    }
  }

  /// Returns true if a client can get the dump and the messages after it.
  private func isUsable(_ entry: DumpCache.Entry, _ log: TopicLog) -> Bool {
    if entry.dump.last == log.last { return true }
    return NIODeadline.now() - entry.time < limits.dumpAge && log.follows(entry.dump.last)
  }
}
