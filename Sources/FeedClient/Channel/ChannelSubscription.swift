import OddsFeed
import Platform

/// A share in a channel's store. The store lives until the last share is cancelled or dropped.
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

  /// Gives the share up. Harmless when called twice.
  public func cancel() async {
    let isFirst = isCancelled.withLock { cancelled in
      defer { cancelled = true }
      return !cancelled
    }
    if isFirst { await provider.release(subscription) }
  }

  /// A reader that takes changes when it likes. `onPending` is called when there is something to take after there
  /// was nothing, from any thread; it must not block.
  public func reader(onPending: @escaping @Sendable () -> Void) async -> ChannelReader {
    let reader = ChannelReader(share: self, onPending: onPending)
    await store.add(reader)
    return reader
  }

  /// The changes as a sequence, for whoever reads at his own pace: each element is all that changed since the one
  /// before, merged. The first is the whole channel. Does not end by itself.
  public func changes() async -> ChannelChanges {
    let (bell, feed) = AsyncLatestValue<Void>.make {}
    let reader = await reader { feed.offer(()) }
    return ChannelChanges(reader: reader, bell: bell)
  }
}

/// The conflated changes of a channel as an asynchronous sequence, for one reader.
public struct ChannelChanges: AsyncSequence, Sendable {
  public typealias Failure = Never

  let reader: ChannelReader
  let bell: AsyncLatestValue<Void>

  public func makeAsyncIterator() -> Iterator { Iterator(reader: reader, bell: bell.makeAsyncIterator()) }

  /// Waits for the next merged changes; nil when the task is cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    let reader: ChannelReader
    var bell: AsyncLatestValue<Void>.Iterator

    public mutating func next() async -> ChangeSet? {
      while !Task.isCancelled {
        if let changes = reader.take() { return changes }
        guard await bell.next() != nil else { return nil }
      }
      return nil
    }
  }
}
