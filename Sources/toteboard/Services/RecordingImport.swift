import Dashboard
import FeedRecording
import OddsFeed
import OddsHistory
import OddsModel
import Platform

/// Plays all topics of a recording at once, for its history.
struct RecordingImport: Sendable {
  /// A transport that keeps the order of the messages of different topics.
  let transport: RecordingTransport
  let channels: [BoardChannel]
  let importer: HistoryImporter
  let options: StoreOptions

  /// Returns at the end of the recording, or when the task is cancelled.
  ///
  /// - Returns: The reason why the recording could not be read to its end.
  func run() async -> FeedError? {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let failure = Locked<FeedError?>(nil)
    let provider = Provider(transport: transport, options: options)
    var shares: [ChannelSubscription] = []
    for (number, channel) in channels.enumerated() {
      let share = await provider.subscribe(to: channel.topic)
      let follow = importer.follower(ofChannel: number)
      await share.store.follow { state, event in
        follow(&state, event)
        switch event.status.connection {
        // NB: a recording stays open at its end, because it can be rewound.
        case .ended: end.finish()
        case .failed(let error):
          failure.withLock { $0 = error }
          end.finish()
        default: break
        }
      }
      shares.append(share)
    }
    let reading = Task.detached { await provider.run() }
    for await _ in ends {}
    await transport.disconnect()
    await reading.value
    for share in shares { await share.cancel() }
    return failure.withLock { $0 }
  }
}
