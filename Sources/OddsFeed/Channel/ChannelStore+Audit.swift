/// The result of an audit (StoreRules.md, rule 8).
public struct AuditReport: Hashable, Sendable {
  /// The number of matches in the channel after the audit.
  public var matches: Int
  /// The number of matches that differed from the fresh dump. They are corrected, and readers receive the corrections.
  public var divergences: Int
}

extension ChannelStore {
  /// Compares the channel with a fresh dump and corrects the differences. Concurrent calls share one result.
  ///
  /// The dump must not be older than the channel at the time of the call. If the feed may answer with an older dump,
  /// wait in `ask` for as long as it may be old: updates are kept from the call on.
  ///
  /// - Parameter ask: Requests a dump from the feed. The next dump among the frames of the channel's subscription is
  ///   the audit's.
  /// - Returns: nil if the channel already awaits a dump; if the connection is lost, the channel is released or the
  ///   task is cancelled before the dump arrives; if the dump is too old; or if more updates arrive meanwhile than can
  ///   be kept.
  /// - Throws: The error that `ask` throws.
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

  /// True while the dump of an audit is awaited.
  var isAuditing: Bool { state.isAuditing }

  /// Removes a caller. Without any caller the next dump is an ordinary one.
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
