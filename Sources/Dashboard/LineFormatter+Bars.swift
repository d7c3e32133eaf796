import TerminalCore

extension LineFormatter {
  func header(_ line: HeaderLine) -> Row {
    let bar = Style(.bar)
    var row = Row(width: layout.size.columns, style: bar)
    var end = layout.size.columns
    for (place, status) in statuses(line).enumerated() {
      let start = layout.size.columns - status.cellWidth
      // The feed's name is worth less than the tabs' titles; what is wrong with its line is worth more.
      let mayShorten = status.cellWidth < 20 || place > 0 && line.status.word != .live
      guard start > tabsWidth(line.channel, short: mayShorten) else { continue }
      row.write(status, at: start, style: line.status.isWell ? bar : Style(.warning))
      end = start
      break
    }
    writeTabs(line.channel, into: &row, end: end)
    return row
  }

  /// What stands at the right, ever shorter: it gives way to the tabs, the least worth first.
  private func statuses(_ line: HeaderLine) -> [String] {
    let clock = ShortText(minuteOfDay: line.minuteOfDay)
    let feed = state.feedName.isEmpty ? "" : "\(state.feedName) "
    let mark = mark(of: line.status.word)
    let word = line.status.text
    guard let playback = line.playback, line.status.isWell else {
      let full = ["\(feed)\(mark) \(word)  \(clock) ", "\(mark) \(word) \(clock) "]
      // Where the line is not live, that is worth more than the time of day.
      return full + ["\(mark) \(line.status.word == .live ? "\(clock)" : word) ", "\(mark) "]
    }
    let (play, state) =
      line.status.word == .ended
      ? (mark, "\(line.status.word.rawValue) ") : playback.isPaused ? (glyphs.paused, "paused ") : (glyphs.playing, "")
    let place = "\(playback.pace) \(playback.time)"
    return [
      "\(feed)\(play) \(state)\(place)  \(clock) ", "\(play) \(state)\(place)  \(clock) ", "\(play) \(place) \(clock) ",
      "\(play) \(place) ", "\(play) \(playback.time) ", "\(play) ",
    ]
  }

  private func mark(of word: LineStatus.Word) -> String {
    switch word {
    case .live, .delayed: glyphs.live
    case .connecting, .locked: "\(glyphs.doubt)"
    case .offline, .ended, .failed: glyphs.ended
    }
  }

  /// The tabs with all their titles, or, where they do not fit, with the chosen one's only.
  private func tabs(_ chosen: Int, short: Bool) -> [String] {
    state.channels.enumerated().map { place, channel in
      short && place != chosen ? " \(place + 1) " : " \(place + 1) \(channel.title) "
    }
  }

  private func tabsWidth(_ chosen: Int, short: Bool) -> Int {
    tabs(chosen, short: short).reduce(0) { $0 + $1.cellWidth }
  }

  private func writeTabs(_ chosen: Int, into row: inout Row, end: Int) {
    var at = 0
    for (place, tab) in tabs(chosen, short: tabsWidth(chosen, short: false) > end).enumerated() {
      at = row.write(tab, at: at, style: Style(place == chosen ? .tab : .bar), limit: end)
    }
  }

  func counters(_ rates: Meters.Rates) -> Row {
    var row = Row(width: layout.size.columns)
    let items = [
      (compact(rates.frames, 3), "fps"), (compact(rates.oddsUpdates), "upd/s"),
      (compact(rates.changesPainted), "chg/s"), (compact(rates.conflated), "confl/s"), (compact(rates.bytes), "B/s"),
      (compact(rates.microsecondsPerFrame), "\(glyphs.micro)s/frame"),
    ]
    var at = 0
    for (value, unit) in items {
      guard at + value.utf8.count + 1 + unit.cellWidth <= layout.size.columns else { break }
      at = row.write(value, at: at) + 1
      at = row.write(unit, at: at, style: Style(.muted)) + 1
    }
    return row
  }

  func hints(_ line: HintsLine) -> Row {
    var row = Row(width: layout.size.columns)
    var at = 0
    func add(_ word: String, _ style: Style) {
      guard at + word.cellWidth <= layout.size.columns else { return }
      at = row.write(word, at: at, style: style)
    }
    if let missed = line.missed { add("FROZEN, \(missed) changes missed ", Style(.warning)) }
    if let rates = line.damage {
      add("DAMAGE \(rates.rowsPerFrame) rows \(rates.bytesPerFrame) B/frame ", Style(.warning))
    }
    if line.paintsWholeScreen { add("WHOLE SCREEN ", Style(.warning)) }
    for binding in KeyBinding.hints {
      guard let hint = text(of: binding.hint, line) else { continue }
      let key = key(of: binding)
      guard at + key.cellWidth + 1 + hint.cellWidth <= layout.size.columns else { break }
      add(key, Style(.strong))
      add(" \(hint) ", Style(.muted))
    }
    return row
  }

  private func key(of binding: KeyBinding) -> String {
    switch binding.hint {
    case .rate?: "+-"
    case .jump?: glyphs.jump
    default: String(binding.label.prefix { $0 != " " })
    }
  }

  private func text(of hint: KeyBinding.Hint?, _ line: HintsLine) -> String? {
    switch hint {
    case .channel?: line.isPaused != nil && state.channels.count == 1 ? nil : "channel"
    case .pause?: line.isPaused.map { $0 ? "play" : "pause" }
    case .jump?: line.isPaused == nil ? nil : "10s"
    case .word(let word)?, .spare(let word)?: word
    case .throttle?:
      line.throttle == .zero ? "throttle off" : "throttle \(Int(line.throttle / .milliseconds(1)))ms"
    case .rate?: line.rate.map { "\(rate($0))/s" }
    case nil: nil
    }
  }

  private func rate(_ rate: Double) -> String {
    rate < 10 && rate != rate.rounded() ? "\(ShortText(tenths: Int((rate * 10).rounded())))" : compact(Int(rate), 1)
  }

  /// A count in at most four characters, right-aligned so that its neighbours stay where they are.
  private func compact(_ count: Int, _ width: Int = 4) -> String {
    let text =
      count < 10_000 ? "\(count)" : count < 1_000_000 ? "\(count / 1000)k" : "\(min(count / 1_000_000, 999))M"
    return String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}
