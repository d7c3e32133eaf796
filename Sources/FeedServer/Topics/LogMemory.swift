import Platform

/// A limit on the memory of all logs of a server. Beyond it, the largest log drops the older half of what it has.
final class LogMemory: Sendable {
  private struct Entry {
    let log: WeakReference<TopicLog>
    var bytes = 0
  }

  private struct State {
    var total = 0
    var entries: [ObjectIdentifier: Entry] = [:]
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) { self.limit = limit }

  var total: Int { state.withLock { $0.total } }

  /// Counts a change of the size of a log, in bytes. May make logs drop messages.
  func count(_ change: Int, of log: TopicLog) {
    if change == 0 { return }
    add(change, of: log)
    while let largest = largestBeyondLimit {
      let change = largest.dropOlderHalf()
      // It is being filled or released by another thread, which counts that.
      if change == 0 { return }
      add(change, of: largest)
    }
  }

  /// Forgets a log, because it is released.
  func remove(_ id: ObjectIdentifier) {
    state.withLock { state in
      if let entry = state.entries.removeValue(forKey: id) { state.total -= entry.bytes }
    }
  }

  private func add(_ change: Int, of log: TopicLog) {
    state.withLock { state in
      state.total += change
      state.entries[ObjectIdentifier(log), default: Entry(log: WeakReference(log))].bytes += change
    }
  }

  private var largestBeyondLimit: TopicLog? {
    state.withLock { [limit] state in
      state.total > limit ? state.entries.values.max { $0.bytes < $1.bytes }?.log.value : nil
    }
  }
}
