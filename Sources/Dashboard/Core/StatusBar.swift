package import Localization

/// A message shown for a limited time in place of the key hints.
package struct StatusMessage: Hashable, Sendable {
  /// The time for which a message is shown.
  static let length = Duration.seconds(5)

  package let sentence: LocalizedMessage
  package let isWarning: Bool

  package init(_ sentence: LocalizedMessage, isWarning: Bool = false) {
    self.sentence = sentence
    self.isWarning = isWarning
  }
}

/// The rows below the matches: the counters and a message.
struct StatusBar: Sendable {
  var meters = Meters()
  var message: StatusMessage?
  /// The uptime at which the message ends.
  private var messageEnd = Duration.zero
  var showsDamage = false
  var paintsWholeScreen = false
  /// The counts of the current channel's reader that are already in `meters`.
  private var oddsUpdates = 0
  private var conflated = 0
  /// The count of the list's throttle that is already in `meters`.
  private var merged = 0

  mutating func show(_ message: StatusMessage, now: FrameTime) {
    self.message = message
    messageEnd = now.uptime + StatusMessage.length
  }

  /// Applies that the counts of the channel's reader start at zero. Those of the throttle start at zero too if
  /// `isOther` is true, because another channel is open.
  mutating func readerReplaced(isOther: Bool) {
    (oddsUpdates, conflated) = (0, 0)
    if isOther { merged = 0 }
  }

  mutating func count(_ update: ChannelUpdate) {
    meters.totals.oddsUpdates += update.oddsUpdates - oddsUpdates
    meters.totals.conflated += update.conflated - conflated
    (oddsUpdates, conflated) = (update.oddsUpdates, update.conflated)
  }

  /// Counts the changes that the list's throttle has merged.
  mutating func count(merged count: Int) {
    meters.totals.conflated += count - merged
    merged = count
  }

  mutating func count(_ report: FrameReport) {
    if report.isStatusOnly { return }
    meters.totals.frames += 1
    meters.totals.bytes += report.bytes
    meters.totals.rows += report.rows
    meters.totals.changesPainted += report.changes
    meters.totals.painting += report.duration
  }

  mutating func frameDue(now: FrameTime) {
    meters.tick(now: now.uptime)
    if messageEnd <= now.uptime { message = nil }
  }

  /// The uptime at which the content changes by itself; nil if it does not.
  var nextDeadline: Duration? {
    [meters.nextDeadline, message == nil ? nil : messageEnd].compactMap(\.self).min()
  }
}

extension BoardState {
  mutating func show(_ message: StatusMessage, now: FrameTime) { statusBar.show(message, now: now) }
}
