import OddsFeed

/// What an audit found (StoreRules.md, rule 8).
public struct AuditReport: Hashable, Sendable {
  /// How many matches the channel has after it.
  public var matches: Int
  /// How many matches differed from the fresh dump; they are set right, and readers hear of them.
  public var divergences: Int
}

extension ChannelStore {
  /// Compares the channel with a fresh dump and repairs what differs: from now on the next dump is the audit's, and `ask`
  /// gets the feed to send one, as frames of the channel's subscription.
  ///
  /// Nil where the channel waits for a dump of its own, where none came before the line was lost, the channel released,
  /// or the task cancelled, and where so much came in between that it could not be kept. Whoever asks again meanwhile
  /// shares the answer to come.
  public func audit(asking ask: @Sendable () async throws -> Void) async rethrows -> AuditReport? {
    if life.isReleased || isAwaitingDump { return nil }
    let (sequence, feed) = AsyncLatestValue<AuditReport>.make {}
    audits.append(feed)
    state.beginAudit()
    do { try await ask() } catch {
      feed.finish()
      giveUp(feed)
      throw error
    }
    let report = await sequence.first { _ in true }
    if report == nil { giveUp(feed) }
    return report
  }

  /// Where nobody asks any more, the next dump is one like any other.
  private func giveUp(_ feed: AsyncLatestValue<AuditReport>.Feed) {
    audits.removeAll { $0.isSame(as: feed) }
    if audits.isEmpty { state.endAudit() }
  }

  func reportAudits(differing: Int) {
    let report = AuditReport(matches: state.matchIDs.count, divergences: differing)
    for feed in audits { feed.offer(report) }
    abandonAudits()
  }

  func abandonAudits() {
    for feed in audits { feed.finish() }
    audits = []
  }
}
