import CMallocInfo
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
    formatted(.number.precision(.fractionLength(decimals)).locale(Locale(identifier: "en_US")))
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

/// The memory of the process, in bytes; 0 if the system does not report it.
struct Memory {
  /// The resident memory by the kernel's count.
  let resident: Int
  /// The memory that malloc has allocated.
  let allocated: Int

  /// The current memory. NB: reads with `fread`, because `Data` cannot read a file of unknown length.
  static var now: Memory {
    var line = [UInt8](repeating: 0, count: 128)
    let allocated = malloc_bytes_in_use()
    guard let file = fopen("/proc/self/statm", "r") else { return Memory(resident: 0, allocated: allocated) }
    defer { fclose(file) }
    let count = fread(&line, 1, line.count, file)
    let pages = String(decoding: line[..<count], as: UTF8.self).split(separator: " ").dropFirst().first
    return Memory(resident: (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE)), allocated: allocated)
  }

  static func - (left: Memory, right: Memory) -> Memory {
    Memory(resident: left.resident - right.resident, allocated: left.allocated - right.allocated)
  }

  static func + (left: Memory, right: Memory) -> Memory {
    Memory(resident: left.resident + right.resident, allocated: left.allocated + right.allocated)
  }
}
