import NIOCore
import OddsModel
import TestSupport

@testable import FeedServer

extension RunningServer {
  /// The feed that a test's server plays.
  var feed: PlayedSource { hub.source as! PlayedSource }
}

extension TopicSource {
  /// The current dump of a topic.
  func dump(of topic: Topic) async throws -> [UInt8] {
    let resolved: Result<Topic, TopicError> = try await completionValue { resolve(topic, completion: $0) }
    let topic = try resolved.get()
    let dump: Result<TopicDump, TopicError> = try await completionValue {
      self.dump(of: topic, known: nil, isForList: false, completion: $0)
    }
    return Array(try dump.get().payload.readableBytesView)
  }
}
