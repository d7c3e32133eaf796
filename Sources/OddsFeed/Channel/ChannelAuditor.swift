import Platform

/// Compares a channel with a fresh dump at intervals while the channel is subscribed to (StoreRules.md, rule 8).
struct ChannelAuditor {
  /// The transport cannot request a dump at present.
  private struct NotNow: Error {}

  /// The time for which updates are kept before the dump is requested. It exceeds the age of the dumps with which a
  /// server may answer: without the updates after such a dump, the audit would undo them.
  private static let lead = Duration.seconds(2)
  /// The time limit for the answer. It exceeds the limit of transports.
  private static let dumpTimeout = Duration.seconds(15)

  let subscription: Subscription
  let transport: any FeedTransport
  let interval: Duration
  let clock: ClientClock

  /// Audits the store, one audit at a time, until the task is cancelled or the store is deallocated. The pause between
  /// audits is `interval`, varied by up to a fifth. If the store lacks messages, requests a dump in place of the audit.
  func run(_ store: WeakReference<ChannelStore>) async {
    while !Task.isCancelled {
      await clock.sleep(clock.uptime() + interval.jittered(chance: clock.chance()))
      guard !Task.isCancelled, let store = store.value else { return }
      if await store.needsDump {
        _ = await transport.requestDump(subscription)
      } else {
        await audit(store)
      }
    }
  }

  private func audit(_ store: ChannelStore) async {
    let request = clock.uptime() + Self.lead
    await withTaskGroup(of: Void.self) { group in
      // The result is not needed here: the channel counts the divergences itself.
      group.addTask {
        _ = try? await store.audit { [transport, subscription, clock] in
          await clock.sleep(request)
          // NB: The audit may have been abandoned meanwhile. Its dump would then pass for another one.
          guard !Task.isCancelled, await store.isAuditing, await transport.requestDump(subscription) else {
            throw NotNow()
          }
        }
      }
      group.addTask { [clock] in await clock.sleep(request + Self.dumpTimeout) }
      await group.next()
      group.cancelAll()
    }
  }
}
