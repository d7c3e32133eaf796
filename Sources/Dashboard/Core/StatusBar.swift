package import Localization

/// A message shown for a limited time in place of the key hints, or of the counters on a screen without a row of hints.
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

extension Effect {
  static func note(_ key: MessageKey, _ values: any MessageArgument...) -> Effect {
    .show(StatusMessage(LocalizedMessage(key, values: values)))
  }

  static func warning(_ key: MessageKey, _ values: any MessageArgument...) -> Effect {
    .show(StatusMessage(LocalizedMessage(key, values: values), isWarning: true))
  }
}

/// The rows below the matches: the counters and a message.
struct StatusBar: Sendable {
  enum Action {
    case show(StatusMessage)
    case clearMessage
    case toggleDamage, toggleWholeScreen, toggleCounters
    case channelUpdated(ChannelUpdate)
    /// Another reader is in use. Its number of odds updates starts at any value, because it includes those that the
    /// topic's store received before; its other count starts at zero. So does the throttle's if `isOther` is true,
    /// because another channel is open.
    case readerReplaced(isOther: Bool)
    /// The list's throttle has merged that many changes since the channel was opened.
    case merged(Int)
    case painted(FrameReport)
    /// A recording was paused.
    case paused
    case frameDue
  }

  private(set) var meters = Meters()
  private(set) var message: StatusMessage?
  private var messageEnd = Duration.zero
  private(set) var showsDamage = false
  private(set) var paintsWholeScreen = false
  /// True if only the most important counters are shown.
  private(set) var foldsCounters: Bool
  /// The counts of the current channel's reader that are already in `meters`. The first number of odds updates of a
  /// reader that replaces another is not counted; the number is nil until then.
  private var oddsUpdates: Int? = 0
  private var conflated = 0
  /// The count of the list's throttle that is already in `meters`.
  private var merged = 0

  init(foldsCounters: Bool = false) { self.foldsCounters = foldsCounters }

  mutating func reduce(_ action: Action, now: FrameTime) {
    switch action {
    case .show(let message):
      self.message = message
      messageEnd = now.uptime + StatusMessage.length
    case .clearMessage: message = nil
    case .toggleDamage: showsDamage.toggle()
    case .toggleWholeScreen: paintsWholeScreen.toggle()
    case .toggleCounters: foldsCounters.toggle()
    case .channelUpdated(let update):
      meters.totals.oddsUpdates += update.oddsUpdates - (oddsUpdates ?? update.oddsUpdates)
      meters.totals.conflated += update.conflated - conflated
      oddsUpdates = update.oddsUpdates
      conflated = update.conflated
    case .readerReplaced(let isOther):
      oddsUpdates = nil
      conflated = 0
      if isOther { merged = 0 }
    case .merged(let count):
      meters.totals.conflated += count - merged
      merged = count
    case .painted(let report): meters.count(report)
    case .paused: meters.rest(now: now.uptime)
    case .frameDue:
      meters.tick(now: now.uptime)
      if messageEnd <= now.uptime { message = nil }
    }
  }

  /// The uptime at which the content changes by itself; nil if it does not.
  var nextDeadline: Duration? { [meters.nextDeadline, message == nil ? nil : messageEnd].compactMap(\.self).min() }
}
