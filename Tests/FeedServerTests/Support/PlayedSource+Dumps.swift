import NIOCore
import OddsModel

@testable import FeedServer

extension RunningServer {
  /// The feed that a test's server plays.
  var feed: PlayedSource { hub.source as! PlayedSource }
}

extension TopicSource {
  /// The current dump of a topic.
  func dump(of topic: Topic) async throws -> [UInt8] {
    let resolved: Result<Topic, TopicError> = await withCheckedContinuation { continuation in
      resolve(topic) { continuation.resume(returning: $0) }
    }
    let topic = try resolved.get()
    let dump: Result<TopicDump, TopicError> = await withCheckedContinuation { continuation in
      self.dump(of: topic, known: nil) { continuation.resume(returning: $0) }
    }
    return Array(try dump.get().payload.readableBytesView)
  }
}
