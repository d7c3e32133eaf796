import AccountModel
import FoundationCore
import Localization
import TerminalCore

/// The postings in the account pane: a table if it fits, or else several rows for each posting.
struct PostingList {
  private static let indent = 2
  private static let gap = 2
  private static let parts: [MessageKey] = [.accountReal, .accountBonus]

  private let postings: [PostingText]
  private let words: Catalog
  private let now: FrameTime
  /// True if a posting is not from today, so that times need a date.
  private let hasDays: Bool
  /// The widths of the table columns: time, operation, and the change and the amount after it for each part.
  private let widths: [Int]
  private let isTable: Bool
  /// True if the change and the amount after it do not fit side by side.
  private let isTight: Bool
  private let lines: [(posting: Int, line: Int)]

  init(_ postings: [PostingText], width: Int, _ words: Catalog, now: FrameTime) {
    self.postings = postings
    self.words = words
    self.now = now
    let hasDays = postings.last.map { !now.isToday($0.receivedAt) } ?? false
    let time = hasDays ? now.local.stamp(now.wall, withDay: true, words).cellWidth : 8
    let operations = [MessageKey.accountDebit, .accountCredit, .accountReserve, .accountRelease]
    var widths = [time, (operations + [.accountOperation]).map { words($0).cellWidth }.max() ?? 0]
    for (part, name) in Self.parts.enumerated() {
      for (index, title) in [name, .accountAfter].enumerated() {
        let widest = postings.map { $0.amounts[part][index].cellWidth }.max() ?? 0
        widths.append(max(widest, words(title).cellWidth))
      }
    }
    let names = Self.parts.map { words($0).cellWidth }.max() ?? 0
    isTable = Self.indent + widths.reduce(0) { $0 + $1 + Self.gap } - Self.gap <= width
    isTight = Self.indent + 1 + names + max(widths[2], widths[4]) + max(widths[3], widths[5]) + Self.gap * 2 > width
    lines = isTable ? [] : Self.lines(of: postings, isTight: isTight)
    self.hasDays = hasDays
    self.widths = widths
  }

  var count: Int { postings.isEmpty ? 0 : isTable ? postings.count + 1 : lines.count }

  func row(_ at: Int) -> PaneRow {
    if isTable {
      if at == 0 { return titles }
      return postings.indices.contains(at - 1) ? line(postings[at - 1]) : .gap
    }
    guard lines.indices.contains(at) else { return .gap }
    return line(lines[at].line, of: postings[lines[at].posting])
  }

  /// Returns the rows of each posting in the layout without a table. Parts that the posting does not have are skipped.
  private static func lines(of postings: [PostingText], isTight: Bool) -> [(posting: Int, line: Int)] {
    postings.indices.flatMap { index in
      let parts = parts.indices.filter { !postings[index].amounts[$0][1].isEmpty }
      let rest = isTight ? parts.flatMap { [$0 * 2 + 1, $0 * 2 + 2] } : parts.map { $0 + 1 }
      return ([0] + rest).map { (posting: index, line: $0) }
    }
  }

  private func time(_ posting: PostingText) -> String { now.local.stamp(posting.receivedAt, withDay: hasDays, words) }

  private var titles: PaneRow {
    let texts = [.accountTime, .accountOperation] + Self.parts.flatMap { [$0, .accountAfter] }
    return row(texts.map { words($0) }, role: .muted)
  }

  private func line(_ posting: PostingText) -> PaneRow {
    row([time(posting), words(posting.operation)] + posting.amounts.flatMap { $0 })
  }

  /// Lays out a table row. The first two columns are left-aligned, the amounts right-aligned.
  private func row(_ texts: [String], role: Style.Role = .plain) -> PaneRow {
    var row = PaneRow()
    var at = Self.indent
    for (index, (text, width)) in zip(texts, widths).enumerated() {
      row.add(text, at: index < 2 ? at : at + width - text.cellWidth, role)
      at += width + Self.gap
    }
    return row
  }

  /// Returns a row of a posting in the layout without a table: 0 is the time and the operation. One row for each part
  /// follows or, if `isTight`, two: the change, then the amount after it.
  private func line(_ line: Int, of posting: PostingText) -> PaneRow {
    guard line > 0 else { return PaneRow("\(time(posting)) \(words(posting.operation))", at: Self.indent) }
    let part = isTight ? (line - 1) / 2 : line - 1
    let amounts = posting.amounts[part]
    let start = Self.indent + 1
    if isTight, line.isMultiple(of: 2) { return PaneRow(amounts[1], at: start + 1) }
    let name = words(Self.parts[part])
    var row = PaneRow(name, at: start, .muted)
    if isTight {
      row.add(amounts[0], at: start + name.cellWidth + 1)
      return row
    }
    var at = start + (Self.parts.map { words($0).cellWidth }.max() ?? 0) + Self.gap
    for (text, width) in [(amounts[0], max(widths[2], widths[4])), (amounts[1], max(widths[3], widths[5]))] {
      row.add(text, at: at + width - text.cellWidth)
      at += width + Self.gap
    }
    return row
  }
}

struct PostingText: Hashable, Sendable {
  let receivedAt: Int64
  let operation: MessageKey
  /// For each part of the wallet, the change and the amount after it. Empty where the posting has no such part.
  let amounts: [[String]]

  /// Formats a posting. The currency is included if it differs from that of the wallet.
  init(_ posting: Posting, wallet currency: String?, _ words: Catalog) {
    let update = posting.update
    receivedAt = posting.receivedAt
    operation = update.operation.phrase
    let suffix = update.currency == currency || currency == nil ? "" : " \(update.currency)"
    amounts = WalletPart.allCases.map { part in
      guard let change = update.changes[part] else { return ["", ""] }
      let affected = words.number(change.affected, of: update.currency)
      let sign = change.affected <= 0 ? "" : update.operation.adds ? "+" : "-"
      return [sign + affected, words.number(change.after, of: update.currency) + suffix]
    }
  }
}

extension BalanceUpdate.Operation {
  fileprivate var phrase: MessageKey {
    switch self {
    case .debit: .accountDebit
    case .credit: .accountCredit
    case .reserve: .accountReserve
    case .release: .accountRelease
    }
  }

  fileprivate var adds: Bool { self == .credit || self == .release }
}
