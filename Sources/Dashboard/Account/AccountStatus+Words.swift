import AccountModel
import Localization
import OddsModel

extension AccountStatus {
  /// The errors of the session and of the stream.
  var problems: [FeedError] {
    var problems: [FeedError] = []
    if case .refused(_, let problem) = phase { problems.append(problem) }
    switch stream {
    case .failed(let problem): problems.append(problem)
    case .waiting(let retry): problems.append(retry.why)
    case .closed, .connecting, .live: break
    }
    return problems
  }

  /// Returns the time of the wallet shown. Empty if it is not known.
  func asOf(_ words: Catalog, at now: FrameTime) -> String {
    walletAsOf.map { now.stamp($0, withDay: !now.isToday($0), words) } ?? (stream == .live ? words(.accountNow) : "")
  }
}

extension AccountStatus.Phase {
  /// Returns the text of the phase. `isWrong` is true if the phase needs the attention of the user.
  func words(_ words: Catalog) -> (text: String, isWrong: Bool) {
    switch self {
    case .loggedOut: (words(.accountStateOut), false)
    case .loggingIn: (words(.accountStateLoggingIn), false)
    case .refused: (words(.accountStateRefused), true)
    case .loggedIn: (words(.accountStateIn), false)
    case .ended(_, let end): (words(.accountStateEnded, end.cause.sentence), true)
    }
  }
}

extension AccountStatus.Stream {
  var isWell: Bool {
    switch self {
    case .closed, .connecting, .live: true
    case .waiting, .failed: false
    }
  }

  func words(_ words: Catalog, at now: FrameTime) -> String {
    switch self {
    case .closed: return words(.accountStreamClosed)
    case .connecting: return words(.accountStreamConnecting)
    case .live: return words(.accountStreamLive)
    case .waiting(let retry):
      return now.seconds(until: retry.at).map { words(.accountStreamWaiting, $0, retry.attempt) }
        ?? words(.accountStreamDue, retry.attempt)
    case .failed: return words(.accountStreamFailed)
    }
  }
}

extension FrameTime {
  /// Returns the local time of day of a wall time, with the date before it if `withDay` is true.
  func stamp(_ wall: Int64, withDay: Bool, _ words: Catalog) -> String {
    guard withDay else { return timeOfDay(wall) }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (year, month, day) = date(wall)
    return "\(words(.accountDay, "\(year)", two(month), two(day))) \(timeOfDay(wall))"
  }

  func isToday(_ time: Int64) -> Bool { days(time) == days(wall) }

  private func days(_ time: Int64) -> Int { Int((Double(time / 1000 + Int64(zone)) / 86_400).rounded(.down)) }

  /// Returns the local date in the Gregorian calendar. Counts 400-year eras from 1 March of year 0.
  func date(_ time: Int64) -> (year: Int, month: Int, day: Int) {
    let days = days(time) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let ofEra = days - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let (day, calendar) = (ofYear - (153 * month + 2) / 5 + 1, month < 10 ? month + 3 : month - 9)
    return (year + era * 400 + (calendar <= 2 ? 1 : 0), calendar, day)
  }
}
