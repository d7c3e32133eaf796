import Localization
import TerminalCore

extension RowFormatter {
  /// The forms of the tabs, from the widest to the narrowest.
  private enum Tabs: CaseIterable {
    /// All titles, including that of the watch list.
    case whole
    case titles, numbers, chosen, number
  }

  /// A form of the status at the right, and the narrowest form of the tabs allowed beside it.
  private struct Status {
    let text: String
    let least: Tabs

    /// Creates a form. A short status takes precedence over the tabs' titles.
    init(_ text: String, leaving least: Tabs) {
      self.text = text
      self.least = least == .titles && text.cellWidth < 20 ? .numbers : least
    }
  }

  /// The parts of the header and their columns. Drawing and clicking use the same parts.
  struct HeaderParts {
    var tabs: [(tab: Tab, text: String, columns: Range<Int>)] = []
    /// The status, at the right.
    var status: (text: String, at: Int)?
  }

  func header(_ content: HeaderContent) -> Row {
    let bar = Style(.bar)
    var row = Row(width: layout.size.columns, style: bar)
    let parts = headerParts(content)
    if let (text, at) = parts.status { row.write(text, at: at, style: content.status.isWell ? bar : Style(.warning)) }
    for tab in parts.tabs {
      row.write(
        tab.text, at: tab.columns.lowerBound, style: Style(tab.tab == content.tab ? .tab : .bar),
        limit: tab.columns.upperBound)
    }
    return row
  }

  func headerParts(_ content: HeaderContent) -> HeaderParts {
    let forms = statuses(content)
    func start(_ form: Status) -> Int { layout.size.columns - form.text.cellWidth }
    // The last form is the mark alone. It takes precedence over all tabs.
    let fitting =
      forms.first { start($0) > width(of: $0.least, content) } ?? forms.last.flatMap { start($0) > 3 ? $0 : nil }
    let end = fitting.map(start) ?? layout.size.columns
    let tabs = Tabs.allCases.first { width(of: $0, content) <= end } ?? .numbers
    var parts = HeaderParts(status: fitting.map { ($0.text, start($0)) })
    var at = 0
    for (tab, text) in texts(of: tabs, content) where at < end {
      let next = min(at + text.cellWidth, end)
      parts.tabs.append((tab, text, at..<next))
      at = next
    }
    return parts
  }

  private func texts(of tabs: Tabs, _ content: HeaderContent) -> [(tab: Tab, text: String)] {
    let watch = content.hasWatchTab ? [(Tab.watchList, words(.channelWatch))] : []
    return (watch + content.channels.enumerated().map { (.channel($0), $1.title) }).compactMap { tab, title in
      let number = " \(tab.number) "
      if tab == content.tab { return (tab, tabs == .number ? number : "\(number)\(title) ") }
      switch tabs {
      case .whole: return (tab, "\(number)\(title) ")
      case .titles: return (tab, tab == .watchList ? number : "\(number)\(title) ")
      case .numbers: return (tab, number)
      case .chosen, .number: return nil
      }
    }
  }

  private func width(of tabs: Tabs, _ content: HeaderContent) -> Int {
    texts(of: tabs, content).reduce(0) { $0 + $1.text.cellWidth }
  }

  /// Returns the forms of the status, the most complete first.
  private func statuses(_ content: HeaderContent) -> [Status] {
    let clock = ShortText(minuteOfDay: content.minuteOfDay)
    let feed = content.feedName.isEmpty ? "" : "\(content.feedName) "
    if let playback = content.playback, content.status.isWell { return statuses(content, playback, feed, clock) }
    let (mark, status) = (mark(of: content.status), content.status)
    let text = status.text(words)
    let whole = Status("\(feed)\(mark) \(text)  \(clock) ", leaving: .titles)
    let last = Status("\(mark) ", leaving: .numbers)
    if let balance = content.balance { return statuses(status, mark, balance, feed, clock) + [last] }
    if status.isLive {
      return [
        whole, Status("\(mark) \(text) \(clock) ", leaving: .titles),
        Status("\(mark) \(clock) ", leaving: .titles), last,
      ]
    }
    // A status that is not live takes precedence over the time of day and the other tabs' titles.
    return [
      whole, Status("\(mark) \(text) \(clock) ", leaving: .numbers),
    ] + others(status, mark) + [last]
  }

  /// Returns the forms of a status that is not live, without other parts.
  private func others(_ status: ConnectionStatus, _ mark: String) -> [Status] {
    let (text, short, brief) = (status.text(words), status.short(words), status.brief(words))
    return [
      Status("\(mark) \(text) ", leaving: .numbers), Status("\(mark) \(short) ", leaving: .numbers),
      Status("\(mark) \(short) ", leaving: .chosen), Status("\(mark) \(brief) ", leaving: .numbers),
      Status("\(mark) \(brief) ", leaving: .chosen), Status("\(mark) \(brief) ", leaving: .number),
    ]
  }

  /// Returns the forms with a balance. It takes precedence over the tabs' titles, but not over the connection's status.
  private func statuses(
    _ status: ConnectionStatus, _ mark: String, _ balance: BoardAccount.Balance, _ feed: String, _ clock: ShortText
  ) -> [Status] {
    let money = balance.text + (balance.isCertain ? "" : "\(glyphs.doubt)")
    let whole = Status("\(feed)\(mark) \(status.text(words))  \(money)  \(clock) ", leaving: .titles)
    let text = "\(mark) \(status.text(words))  \(money)"
    if status.isLive {
      return [whole, Status("\(text)  \(clock) ", leaving: .titles)]
        + [Tabs.numbers, .chosen].flatMap { tabs in
          [
            Status("\(text)  \(clock) ", leaving: tabs), Status("\(mark) \(money)  \(clock) ", leaving: tabs),
            Status("\(mark) \(money) ", leaving: tabs),
          ]
        } + [
          Status("\(mark) \(money) ", leaving: .number),
          Status("\(mark) \(status.text(words)) \(clock) ", leaving: .numbers),
          Status("\(mark) \(clock) ", leaving: .numbers),
        ]
    }
    return [
      whole, Status("\(text)  \(clock) ", leaving: .numbers), Status("\(text) ", leaving: .numbers),
      Status("\(mark) \(status.short(words))  \(money) ", leaving: .numbers),
      Status("\(mark) \(status.short(words))  \(money) ", leaving: .chosen),
    ] + others(status, mark)
  }

  private func statuses(_ content: HeaderContent, _ playback: Playback, _ feed: String, _ clock: ShortText)
    -> [Status]
  {
    let (play, state) =
      content.status.isEnded
      ? (mark(of: content.status), "\(words(.statusEnded)) ")
      : playback.isPaused ? (glyphs.paused, "\(words(.playbackPaused)) ") : (glyphs.playing, "")
    let index = "\(playback.pace(words)) \(playback.time)"
    let ended = content.status.isEnded
    return [
      Status("\(feed)\(play) \(state)\(index)  \(clock) ", leaving: .titles),
      Status("\(play) \(state)\(index)  \(clock) ", leaving: ended ? .numbers : .titles),
      Status("\(play) \(index) \(clock) ", leaving: ended ? .numbers : .titles),
      Status("\(play) \(index) ", leaving: ended ? .numbers : .titles),
      Status("\(play) \(playback.time) ", leaving: .titles), Status("\(play) ", leaving: .titles),
    ]
  }

  private func mark(of status: ConnectionStatus) -> String {
    switch (status.prices, status.issue) {
    case (.live, _), (.delayed, _), (.polling, _), (nil, nil): glyphs.live
    case (_, .refused), (_, .failed), (_, .offline), (_, .ended): glyphs.ended
    case (.silent, _), (.locked, _), (.cached, _), (nil, _): "\(glyphs.doubt)"
    }
  }
}
