import Foundation

/// Returns the processor time of a piece of work on this thread, in seconds.
///
/// Processor time excludes the effects of other processes. The measured work runs on one thread and never waits.
func seconds(_ work: () throws -> Void) rethrows -> Double {
  let start = threadTime()
  try work()
  return threadTime() - start
}

private func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

extension [Double] {
  /// The median; for an even count the lower of the two middle values. The array must not be empty.
  var median: Double { sorted()[(count - 1) / 2] }
}

extension Double {
  /// Returns the number with thousands separators and the given number of decimals.
  func text(_ decimals: Int = 0) -> String {
    let digits = String(format: "%.\(decimals)f", self)
    let whole = digits.prefix { $0 != "." }
    var grouped = ""
    for (place, digit) in whole.enumerated() {
      if place > 0, (whole.count - place).isMultiple(of: 3), grouped != "-" { grouped.append(",") }
      grouped.append(digit)
    }
    return grouped + digits.dropFirst(whole.count)
  }
}

/// A text table with its first column left-aligned and the others right-aligned.
struct FigureTable {
  let title: String
  private var rows: [[String]]

  init(_ title: String, _ head: [String]) {
    self.title = title
    rows = [head]
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  func show() {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
    func line(_ row: [String]) -> String {
      let cells = zip(row, widths).enumerated().map { place, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return place == 0 ? cell.0 + space : space + cell.0
      }
      return "| " + cells.joined(separator: " | ") + " |"
    }
    let rule = widths.enumerated().map { String(repeating: "-", count: $1 + ($0 == 0 ? 2 : 1)) + ($0 == 0 ? "" : ":") }
    print("\n### \(title)\n\n\(line(rows[0]))\n|\(rule.joined(separator: "|"))|")
    for row in rows.dropFirst() { print(line(row)) }
    fflush(nil)
  }
}
