import Dispatch
import FeedClient

/// Saves channels one after the other on a thread of its own: neither keys nor the feed wait for the disk.
final class ChannelCacheWriter: Sendable {
  /// How often a channel that stays open is saved.
  static let interval = Duration.seconds(60)

  private let cache: BoardCache
  private let queue = DispatchQueue(label: "toteboard.cache")

  init(cache: BoardCache) { self.cache = cache }

  /// Saves a channel in a while; nothing where there is none.
  func save(_ channel: SavedChannel?) {
    guard let channel else { return }
    queue.async { [cache] in cache.save(channel) }
  }

  /// Returns when all that was to be saved is.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
