import Dispatch
import OddsFeed

/// A writer that saves channels one after another on its own queue, so that neither keys nor the feed wait for the
/// disk.
final class ChannelCacheWriter: Sendable {
  /// The time between two saves of an open channel.
  static let interval = Duration.seconds(60)

  private let cache: BoardCache
  private let queue = DispatchQueue(label: "toteboard.cache")

  init(cache: BoardCache) { self.cache = cache }

  /// Enqueues a channel to be saved; does nothing for nil.
  func save(_ channel: SavedChannel?) {
    guard let channel else { return }
    queue.async { [cache] in cache.save(channel) }
  }

  /// Returns after all enqueued channels are saved.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
