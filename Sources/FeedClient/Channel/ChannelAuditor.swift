import OddsFeed
import Platform

/// Compares a channel with a fresh dump now and then, as long as the channel is subscribed to (StoreRules.md, rule 8).
struct ChannelAuditor {
  /// The line does not send a dump now.
  private struct NotNow: Error {}

  /// How long a dump may take; what the line has not sent by then will not come.
  private static let patience = SessionTiming.patience + .seconds(5)

  let subscription: Subscription
  let transport: any FeedTransport
  let interval: Duration
  let world: ClientClock

  /// Audits the store until the task is cancelled or the store gone: one audit after the other, each interval, a fifth
  /// more or less.
  func run(_ store: WeakReference<ChannelStore>) async {
    while !Task.isCancelled {
      await world.sleep(world.uptime() + SessionTiming.jittered(interval, chance: world.chance()))
      guard !Task.isCancelled, let store = store.value else { return }
      if await store.needsDump {
        _ = await transport.requestDump(subscription)
      } else {
        await audit(store)
      }
    }
  }

  private func audit(_ store: ChannelStore) async {
    let deadline = world.uptime() + Self.patience
    await withTaskGroup(of: Void.self) { group in
      // What an audit finds the channel counts itself.
      group.addTask {
        _ = try? await store.audit { [transport, subscription] in
          guard await transport.requestDump(subscription) else { throw NotNow() }
        }
      }
      group.addTask { [world] in await world.sleep(deadline) }
      await group.next()
      group.cancelAll()
    }
  }
}
