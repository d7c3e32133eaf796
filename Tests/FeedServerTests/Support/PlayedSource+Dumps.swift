import OddsModel

@testable import FeedServer

extension RunningServer {
  /// The feed that a test's server plays.
  var feed: PlayedSource { hub.source as! PlayedSource }
}

extension TopicSource {
  /// The current dump of a topic.
  func dump(of topic: Topic) async throws -> [UInt8] {
    let topic = try await withCheckedContinuation { continuation in
      resolve(topic) { continuation.resume(returning: $0) }
    }.get()
    let dump = try await withCheckedContinuation { continuation in
      dump(of: topic, known: nil) { continuation.resume(returning: $0) }
    }.get()
    return Array(dump.payload.readableBytesView)
  }
}
