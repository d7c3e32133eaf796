import Foundation

/// Processor time that a piece of work takes on this thread, in seconds.
///
/// Not time on the wall: others share the machine, and all that is measured so is one thread that waits for nothing.
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
  /// The middle one; of an even count the lower of the two. Not for none.
  var median: Double { sorted()[(count - 1) / 2] }
}

extension Double {
  /// With thousands separated and as many decimals as asked for.
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

/// A table of text: the first column to the left, figures to the right.
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
