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
    if isCancelled.withLock({ $0 }) || !provider.dropped.put(subscription) { return }
    Task { [provider] in await provider.releaseDropped() }
  }

  /// Cancels the share. Further calls do nothing.
  public func cancel() async {
    let isFirst = isCancelled.withLock { cancelled in
      defer { cancelled = true }
      return !cancelled
    }
    if isFirst { await provider.release(subscription) }
  }

  /// Returns a reader of the channel's changes. The first changes are the whole channel.
  ///
  /// - Parameter onPending: Called, on any thread, when changes become available after there were none. It must not
  ///   block.
  public func reader(onPending: @escaping @Sendable () -> Void) async -> ChannelReader {
    let reader = ChannelReader(share: self, onPending: onPending)
    await store.add(reader)
    return reader
  }

  /// Returns the changes as a sequence. Each element merges all changes since the one before; the first is the whole
  /// channel. The sequence ends only when the task is cancelled.
  public func changes() async -> ChannelChanges {
    let (bell, feed) = AsyncLatestValue<Void>.make {}
    let reader = await reader { feed.offer(()) }
    return ChannelChanges(reader: reader, bell: bell)
  }
}

/// The merged changes of a channel as an asynchronous sequence, for one reader.
public struct ChannelChanges: AsyncSequence, Sendable {
  public typealias Failure = Never

  let reader: ChannelReader
  let bell: AsyncLatestValue<Void>

  public func makeAsyncIterator() -> Iterator { Iterator(reader: reader, bell: bell.makeAsyncIterator()) }

  /// Waits for the next merged changes. Returns nil when the task is cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    let reader: ChannelReader
    var bell: AsyncLatestValue<Void>.Iterator

    public mutating func next() async -> ChangeSet? {
      while !Task.isCancelled {
        if let changes = reader.drain() { return changes }
        guard await bell.next() != nil else { return nil }
      }
      return nil
    }
  }
}
