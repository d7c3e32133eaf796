import Localization
import TerminalCore

/// The parts of the header and their columns. Drawing and clicking use the same parts.
struct HeaderParts {
  private(set) var tabs: [(tab: Tab, text: String, columns: Range<Int>)] = []
  /// The mark of a frozen screen, before the status.
  var frozen: (text: String, columns: Range<Int>)?
  /// The status, at the right.
  var status: (text: String, at: Int)?
  /// The bar that shows the position in a recording, between the tabs and the parts at the right. Empty without one.
  var progress = 0..<0

  /// The least and the greatest width of the bar.
  private static let progressWidth = 4...40

  /// Places the bar in the cells that are left, with a blank before it.
  mutating func placeProgress() {
    guard let end = frozen?.columns.lowerBound ?? status?.at else { return }
    let start = max((tabs.last?.columns.upperBound ?? 0) + 1, end - Self.progressWidth.upperBound - 1)
    if end - 1 - start >= Self.progressWidth.lowerBound { progress = start..<end - 1 }
  }

  /// Creates the parts of tabs. What does not fit before a column is cut off.
  init(_ items: [TabBar.Item], before end: Int) {
    var at = 0
    for item in items where at < end {
      let next = min(at + item.text.cellWidth, end)
      tabs.append((item.tab, item.text, at..<next))
      at = next
    }
  }
}

extension RowFormatter {
  /// The forms of the status at the right, from the most complete.
  private struct Status {
    let forms: [String]
    /// The index of the shortest form that leaves the names of tabs whole: beside longer forms they are not shortened.
    let full: Int
    /// The index of the shortest form that takes precedence over the names of tabs.
    let brief: Int

    /// Creates a status. By default it only takes the cells that the names of tabs leave.
    init(_ forms: [String], full: Int? = nil, brief: Int? = nil) {
      self.forms = forms
      self.full = full ?? forms.count - 1
      self.brief = brief ?? self.full
    }
  }

  func header(_ content: HeaderContent) -> Row {
    let bar = Style(.bar)
    var row = Row(width: layout.size.columns, style: bar)
    let parts = headerParts(content)
    if let (text, at) = parts.status { row.write(text, at: at, style: content.status.isWell ? bar : Style(.warning)) }
    if let (text, columns) = parts.frozen { row.write(text, at: columns.lowerBound, style: Style(.warning)) }
    if let playback = content.playback {
      let played = playback.progress(of: parts.progress.count)
      for (index, column) in parts.progress.enumerated() {
        row.write((index < played ? glyphs.progress.played : glyphs.progress.rest).styled(bar), at: column)
      }
    }
    for tab in parts.tabs {
      row.write(
        tab.text, at: tab.columns.lowerBound, style: Style(tab.tab == content.tab ? .tab : .bar),
        limit: tab.columns.upperBound)
    }
    return row
  }

  func headerParts(_ content: HeaderContent) -> HeaderParts {
    let tabs = TabBar(titles(content), open: content.tab, ellipsis: glyphs.ellipsis.text)
    let status = status(content)
    let frozen = content.isFrozen ? parts(tabs, status, frozen: words(.modeFrozenMark)) : nil
    var parts =
      frozen ?? parts(tabs, status, frozen: nil) ?? HeaderParts(tabs.items(.number, room: .max) ?? [], before: width)
    if content.playback != nil { parts.placeProgress() }
    return parts
  }

  /// Returns the titles of the tabs. The first watch list has one while it has matches or is open.
  private func titles(_ content: HeaderContent) -> [TabBar.Title] {
    let lists = content.watchLists
    let channels = content.channels.count
    let tabs = content.channels.indices.map { Tab.channel($0) } + lists.indices.dropFirst().map { Tab.watchList($0) }
    let isFirstShown = lists.first.map { content.tab == .watchList(0) || !$0.pins.isEmpty } ?? false
    return ((isFirstShown ? [.watchList(0)] : []) + tabs).map { tab in
      let name =
        switch tab {
        case .channel(let index): content.channels[index].title
        case .watchList(let index): lists[index].title(words)
        }
      return TabBar.Title(tab: tab, number: tab.number(channels: channels), name: name)
    }
  }

  /// Returns the most complete parts that fit: the status is shortened first, then the names of tabs.
  private func parts(_ tabs: TabBar, _ status: Status, frozen: String?) -> HeaderParts? {
    let mark = frozen.map { "\($0) " } ?? ""
    func parts(_ form: TabBar.Form, _ texts: ArraySlice<String>) -> HeaderParts? {
      for text in texts {
        let start = width - text.cellWidth
        let room = start - mark.cellWidth
        guard let items = tabs.items(form, room: room) else { continue }
        var parts = HeaderParts(items, before: room)
        parts.status = (text, start)
        if !mark.isEmpty { parts.frozen = (mark, room..<start) }
        return parts
      }
      return nil
    }
    let forms = status.forms
    let kept = forms[...status.brief]
    let rest = forms[(status.brief + 1)...]
    return parts(.whole, forms[...status.full]) ?? parts(.short, forms[status.full...status.brief])
      ?? parts(.numbers, kept) ?? parts(.shortNumbers, kept.suffix(1)) ?? parts(.current, kept)
      ?? parts(.shortCurrent, kept.suffix(1)) ?? parts(.number, kept) ?? parts(.numbers, rest)
      ?? parts(.current, rest) ?? parts(.number, rest)
  }

  private func status(_ content: HeaderContent) -> Status {
    let clock = ShortText(minuteOfDay: content.minuteOfDay)
    let feed = content.feedName.isEmpty ? "" : "\(content.feedName) "
    if let playback = content.playback, content.status.isWell { return status(content, playback, feed, clock) }
    let (mark, status) = (mark(of: content.status), content.status)
    let text = status.text(words)
    if let balance = content.balance { return self.status(status, mark, balance, feed, clock) }
    let timed = ["\(feed)\(mark) \(text)  \(clock) ", "\(mark) \(text) \(clock) "]
    if status.isLive { return Status(timed + ["\(mark) \(clock) ", "\(mark) "]) }
    // The text of a status that is not live takes precedence over the names of tabs.
    return Status(timed + untimed(status, mark), full: 2, brief: 4)
  }

  /// Returns the forms of a status that is not live, without other parts.
  private func untimed(_ status: ConnectionStatus, _ mark: String) -> [String] {
    [
      "\(mark) \(status.text(words)) ", "\(mark) \(status.short(words)) ", "\(mark) \(status.brief(words)) ",
      "\(mark) ",
    ]
  }

  /// Returns the forms with a balance. It takes precedence over the names of tabs, but not over the status.
  private func status(
    _ status: ConnectionStatus, _ mark: String, _ balance: BoardAccount.Balance, _ feed: String, _ clock: ShortText
  ) -> Status {
    let money = balance.text + (balance.isCertain ? "" : "\(glyphs.doubt)")
    let text = "\(mark) \(status.text(words))"
    let timed = ["\(feed)\(text)  \(money)  \(clock) ", "\(text)  \(money)  \(clock) "]
    if status.isLive {
      return Status(
        timed + [
          "\(mark) \(money)  \(clock) ", "\(mark) \(money) ", "\(text) \(clock) ", "\(mark) \(clock) ", "\(mark) ",
        ], full: 3)
    }
    return Status(
      timed + ["\(text)  \(money) ", "\(mark) \(status.short(words))  \(money) "] + untimed(status, mark),
      full: 2, brief: 3)
  }

  /// Returns the forms with the position of a recording.
  private func status(_ content: HeaderContent, _ playback: Playback, _ feed: String, _ clock: ShortText) -> Status {
    let isEnded = content.status.isEnded
    let mark = isEnded ? mark(of: content.status) : playback.isPaused ? glyphs.paused : glyphs.playing
    let state = isEnded ? "\(words(.statusEnded)) " : playback.isPaused ? "\(words(.playbackPaused)) " : ""
    let index = "\(playback.pace(words)) \(playback.time)"
    return Status(
      [
        "\(feed)\(mark) \(state)\(index)  \(clock) ", "\(mark) \(state)\(index)  \(clock) ",
        "\(mark) \(index) \(clock) ", "\(mark) \(index) ", "\(mark) \(playback.time) ", "\(mark) ",
      ], full: isEnded ? 3 : 4, brief: isEnded ? 4 : 5)
  }

  private func mark(of status: ConnectionStatus) -> String {
    switch (status.prices, status.issue) {
    case (.live, _), (.delayed, _), (.impaired, _), (.polling, _), (nil, nil): glyphs.live
    case (_, .refused), (_, .failed), (_, .offline), (_, .ended): glyphs.ended
    case (.silent, _), (.locked, _), (.cached, _), (nil, _): "\(glyphs.doubt)"
    }
  }
}
