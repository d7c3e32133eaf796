import Platform

/// Compares a channel with a fresh dump at intervals while the channel is subscribed to (StoreRules.md, rule 8).
struct ChannelAuditor {
  /// The transport cannot request a dump at present.
  private struct NotNow: Error {}

  /// The time limit for one audit. It exceeds the limit of transports for an answer.
  private static let patience = Duration.seconds(15)

  let subscription: Subscription
  let transport: any FeedTransport
  let interval: Duration
  let world: ClientClock

  /// Audits the store, one audit at a time, until the task is cancelled or the store is deallocated. The pause between
  /// audits is `interval`, varied by up to a fifth.
  func run(_ store: WeakReference<ChannelStore>) async {
    while !Task.isCancelled {
      await world.sleep(world.uptime() + interval.jittered(chance: world.chance()))
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
      // The result is not needed here: the channel counts the divergences itself.
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
