import AccountModel
import Localization
import OddsModel
import TerminalCore

/// The rows of a dialog. Each has a priority that decides which rows are dropped if not all fit.
struct DialogRows {
  let title: String
  var items: [(priority: Int, content: DialogBox.Content)] = []
  /// The width of the longest row, in cells.
  private(set) var width: Int

  init(_ question: Question, room: Int, _ words: Catalog) {
    let texts: [(priority: Int, text: String)]
    switch question.subject {
    case .sessionEnd(let end, _):
      title = words(.accountLoggedOut)
      texts = [(5, words(.accountSessionEnded)), (7, words.text(end.cause.sentence))]
    case .logOut(let user):
      title = words(.accountLogOutTitle)
      texts = [(5, words(.accountLogOutQuestion, user))]
    }
    width = min(max(title.cellWidth + 2, texts.map(\.text.cellWidth).max() ?? 0), room)
    let rows = Self.buttons(question, room: room, words)
    width = max(width, min(room, rows.flatMap { $0 }.map { $0.at + $0.width }.max() ?? 0))
    for (priority, text) in texts { items += text.wrapped(to: width).map { (priority, .text($0, .plain)) } }
    items.append((0, .blank))
    items += rows.map { (9, .buttons($0)) }
  }

  /// The menu of texts to copy. An item without a text shows the reason.
  init(_ menu: [CopyItem], selected: Int, room: Int, _ words: Catalog) {
    title = words(.copyTitle)
    let labels = menu.enumerated().map { "\($0 + 1) \(words($1.label))" }
    let labelWidth = labels.map(\.cellWidth).max() ?? 0
    for (index, (item, label)) in zip(menu, labels).enumerated() {
      let text = item.text ?? item.problem.map { words($0) } ?? ""
      let gap = String(repeating: " ", count: labelWidth - label.cellWidth + 2)
      let isChosen = index == selected
      // The chosen item is the last to be left out.
      let row = DialogBox.Content.item(index, label + gap + text, isChosen: isChosen, isMuted: item.text == nil)
      items.append((isChosen ? 10 : 9, row))
    }
    if menu.isEmpty { items = [(9, .text(words(.noteNoRow), .warning))] }
    width = 0
    let widths = items.map { item in
      switch item.content {
      case .item(_, let text, _, _): text.cellWidth + 2
      case .text(let text, _): text.cellWidth
      default: 0
      }
    }
    width = min(max(title.cellWidth + 2, widths.max() ?? 0), room)
  }

  init(_ form: LoginForm, isDemo: Bool, room: Int, _ words: Catalog, _ glyphs: Glyphs) {
    title = words(.accountFormTitle)
    width = room
    let labels = (words(.accountFormUser), words(.accountFormPassword))
    let at = max(labels.0.cellWidth, labels.1.cellWidth) + 3
    let bullets = String(repeating: glyphs.bullet, count: form.bullets)
    items = [
      (0, .blank), (9, .field(labels.0, text: form.user, at: at, isChosen: !form.isBusy && form.field == .user)),
      (9, .field(labels.1, text: bullets, at: at, isChosen: !form.isBusy && form.field == .password)),
      (0, .blank),
    ]
    if form.isBusy {
      items.append((7, .text(words(.accountFormBusy), .muted)))
    } else if let problem = form.problem {
      let text = words.text(problem.sentence).capitalizedFirst
      items += text.wrapped(to: width).map { (7, .text($0, .warning)) }
    } else if isDemo {
      items += words(.accountFormDemo).wrapped(to: width).map { (3, .text($0, .muted)) }
    }
  }

  /// Lays out the buttons side by side if they fit, or else one below the other.
  private static func buttons(_ question: Question, room: Int, _ words: Catalog) -> [[DialogBox.Button]] {
    var at = 0
    let buttons = question.answers.enumerated().map { index, answer in
      let isChosen = index == question.chosen
      let button = DialogBox.Button(answer: answer, label: words(answer.label), isChosen: isChosen, at: at)
      at += button.width + 2
      return button
    }
    if at - 2 <= room { return [buttons] }
    return buttons.map { [DialogBox.Button(answer: $0.answer, label: $0.label, isChosen: $0.isChosen, at: 0)] }
  }

  /// Drops the rows with the lowest priority until at most `count` rows are left. Returns false if more are left. With
  /// `needsAll`, drops only blank rows.
  @discardableResult
  mutating func fit(_ count: Int, needsAll: Bool) -> Bool {
    while items.count > max(1, count) {
      let lowest = items.map(\.priority).min() ?? 0
      if needsAll, lowest > 0 { return false }
      guard let last = items.lastIndex(where: { $0.priority == lowest }) else { return false }
      items.remove(at: last)
    }
    return items.count <= count
  }
}

extension SessionEnd.Cause {
  /// The reason as a sentence. An unknown reason is quoted from the feed.
  var sentence: LocalizedMessage {
    switch self {
    case .expired: LocalizedMessage(.accountEndExpired)
    case .kicked: LocalizedMessage(.accountEndKicked)
    case .terminated: LocalizedMessage(.accountEndTerminated)
    case .other(let word): LocalizedMessage(.accountEndOther, String(word.prefix(80)))
    case .refused: LocalizedMessage(.accountEndRefused)
    }
  }
}
