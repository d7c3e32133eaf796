import Platform

/// A share in a channel's store. The store is released when its last share is cancelled or deallocated.
public final class ChannelSubscription: Sendable {
  /// The channel's data.
  public let store: ChannelStore

  private let provider: Provider
  private let subscription: Subscription
  private let isCancelled = Locked(false)

  init(store: ChannelStore, provider: Provider, subscription: Subscription) {
    self.store = store
    self.provider = provider
    self.subscription = subscription
  }

  deinit {
    if !isCancelled.withLock({ $0 }) { provider.dropped.send((provider, subscription)) }
  }

  /// Cancels the share and ends its sequences of changes. Further calls do nothing.
  public func cancel() async {
    let isFirst = isCancelled.withLock { cancelled in
      defer { cancelled = true }
      return !cancelled
    }
    guard isFirst else { return }
    await provider.release(subscription)
    await store.endReaders(of: self)
  }

  /// Returns a reader of the channel's changes. The first changes are the whole channel.
  ///
  /// - Parameter onPending: Called, on any thread, when changes become available after there were none. It must not
  ///   block.
  public func reader(onPending: @escaping @Sendable () -> Void) async -> ChannelReader {
    await reader(onPending: onPending, onEnd: {})
  }

  private func reader(
    onPending: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void
  ) async -> ChannelReader {
    let reader = ChannelReader(share: self, onPending: onPending, onEnd: onEnd)
    await store.add(reader)
    if isCancelled.withLock({ $0 }) { await store.endReaders(of: self) }
    return reader
  }

  /// Returns the changes as a sequence. Each element merges all changes since the one before; the first is the whole
  /// channel. The sequence ends, after the last changes, when the share is cancelled or when the provider's events have
  /// ended, and when the task is cancelled.
  public func changes() async -> ChannelChanges {
    let (bell, feed) = AsyncLatestValue<Void>.make {}
    let reader = await reader(onPending: { feed.offer(()) }, onEnd: { feed.finish() })
    return ChannelChanges(reader: reader, bell: bell)
  }
}

/// The merged changes of a channel as an asynchronous sequence, for one reader.
public struct ChannelChanges: AsyncSequence, Sendable {
  public typealias Failure = Never

  let reader: ChannelReader
  let bell: AsyncLatestValue<Void>

  public func makeAsyncIterator() -> Iterator { Iterator(reader: reader, bell: bell.makeAsyncIterator()) }

  /// Waits for the next merged changes. Returns nil when the share is cancelled, the provider's events have ended or
  /// the task is cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    /// The reader; nil after the end.
    var reader: ChannelReader?
    var bell: AsyncLatestValue<Void>.Iterator

    public mutating func next() async -> ChangeSet? {
      while let reader, !Task.isCancelled {
        if let changes = reader.drain() { return changes }
        if await bell.next() != nil || Task.isCancelled { continue }
        self.reader = nil
        // Changes may have arrived just before the end.
        return reader.drain()
      }
      return nil
    }
  }
}
