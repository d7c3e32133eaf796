import Localization
import OddsModel
import TerminalCore

extension RowFormatter {
  /// A part of the hints or of a chip, and the command that a click on it performs.
  struct HintPiece {
    let text: String
    let style: Style
    var command: Command?
  }

  /// Returns a row of pieces, from the left.
  func row(_ pieces: [HintPiece]) -> Row {
    var row = Row(width: width)
    write(pieces, into: &row, from: 0)
    return row
  }

  func write(_ pieces: [HintPiece], into row: inout Row, from column: Int) {
    var at = column
    for piece in pieces { at = row.write(piece.text, at: at, style: piece.style) }
  }

  /// Returns the pieces of the hints, from the left. Drawing and clicking use the same pieces.
  func hintPieces(_ content: HintsContent) -> [HintPiece] {
    var pieces: [HintPiece] = []
    var at = 0
    func add(_ word: String, _ role: Style.Role, _ command: Command? = nil) {
      guard at + word.cellWidth <= layout.size.columns else { return }
      pieces.append(HintPiece(text: word, style: Style(role), command: command))
      at += word.cellWidth
    }
    func add(_ key: String, _ hint: String, _ command: Command? = nil) {
      add(key, .strong, command)
      add(" \(hint) ", .muted, command)
    }
    if case .dialog(let hints) = content.kind {
      for item in hints where at + item.key.cellWidth + 1 + item.hint.cellWidth <= layout.size.columns {
        add(item.key, item.hint)
      }
      return pieces
    }
    if !content.problems.isEmpty {
      for (command, hint) in remedies(content) {
        guard let key = content.keys.keys(of: command).first else { continue }
        add(key.label(words), words(hint), command)
      }
      let remedy = words.text(content.problems.map(\.localizedRemedy), joinedBy: .joinedClauses)
      var rest = Row(width: max(0, layout.size.columns - at))
      clip(remedy, into: &rest, 0..<rest.width, style: Style(.warning))
      pieces.append(HintPiece(text: rest.description, style: Style(.warning)))
      return pieces
    }
    for (key, hint, command) in items(content, cells: layout.size.columns - at) {
      add(key, .strong, command)
      // The gap is a piece of its own, so the last item fits without it.
      add(" \(hint)", .muted, command)
      add(" ", .muted)
    }
    return pieces
  }

  /// Returns the keys that may remedy the problems.
  private func remedies(_ content: HintsContent) -> [(Command, MessageKey)] {
    (content.canReconnect ? [(.reconnect, .hintReconnect)] : [])
      + (content.isLoggedIn == false ? [(.logInOrOut, .accountHintLogIn)] : [])
  }

  /// Returns the most important keys, with their hints, that fit into a number of cells.
  private func items(_ content: HintsContent, cells: Int) -> [(key: String, hint: String, command: Command?)] {
    guard let footer = content.kind.footer else { return [] }
    var items: [(key: String, hint: String, command: Command?)?] = Array(repeating: nil, count: footer.items.count)
    // The last item needs no gap.
    var room = cells + 1
    for index in footer.priority {
      let (binding, hint) = (footer.items[index].binding, footer.items[index].hint)
      guard let key = key(of: binding, hint, content), let text = text(of: hint, content) else { continue }
      let width = key.cellWidth + 1 + text.cellWidth + 1
      guard width <= room else { continue }
      room -= width
      items[index] = (key, text, binding.commands.count == 1 ? binding.commands[0].command : nil)
    }
    return items.compactMap { $0 }
  }

  private func key(of binding: KeyBinding, _ hint: KeyBinding.Hint, _ content: HintsContent) -> String? {
    let keys = binding.commands.compactMap { content.keys.keys(of: $0.command).first }
    guard let first = keys.first else { return nil }
    switch hint {
    case .rate: return keys.map { $0.label(words) }.joined()
    case .pair: return keys.map { $0.label(words) }.joined(separator: " ")
    case .jump:
      if keys == [.left, .right], let jump = glyphs.jump { return jump }
      return keys.map { $0.label(words) }.joined(separator: "/")
    case .channel: return binding.label(content.keys, words, cells: 3)
    default: return first.label(words)
    }
  }

  private func text(of hint: KeyBinding.Hint, _ content: HintsContent) -> String? {
    switch hint {
    case .channel: content.isPaused != nil && content.isOnlyChannel ? nil : words(.hintChannel)
    case .pause(let other): (content.isPaused.map { $0 ? .hintPlay : .hintPause } ?? other).map { words($0) }
    case .jump: content.isPaused == nil ? nil : words(.hintJump)
    case .reconnect(let word): content.canReconnect ? words(word) : nil
    case .word(let word), .pair(let word): words(word)
    case .alerts(let word): content.hasUnreadAlerts ? words(word) : nil
    case .throttle:
      content.throttle == .zero
        ? words(.hintThrottleOff) : words(.hintThrottle, "\(ThrottleInterval(duration: content.throttle))")
    case .rate: content.rate.map { words(.perSecond, rate($0)) }
    case .account(let word): content.isLoggedIn.map { _ in words(word) }
    case .logInOrOut: content.isLoggedIn.map { words($0 ? .accountHintLogOut : .accountHintLogIn) }
    case .endSession(let word): content.canEndSession ? words(word) : nil
    }
  }

  private func rate(_ rate: Double) -> String {
    rate < 10 && rate != rate.rounded() ? "\(words.tenths(Int((rate * 10).rounded())))" : compact(Int(rate), 1)
  }

  /// Returns a count in at most four characters, right-aligned to `width` so that the following text does not move.
  func compact(_ count: Int, _ width: Int = 4) -> String {
    let text =
      count < 10_000 ? "\(count)" : count < 1_000_000 ? "\(count / 1000)k" : "\(min(count / 1_000_000, 999))M"
    return String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}
