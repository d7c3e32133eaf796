import CMallocInfo
import Foundation

/// The memory of the process, in bytes; 0 if the system does not report it.
struct Memory {
  /// The resident memory by the kernel's count.
  let resident: Int
  /// The memory that malloc has allocated.
  let allocated: Int

  static var now: Memory { Memory(resident: residentBytes(), allocated: malloc_bytes_in_use()) }

  static func - (left: Memory, right: Memory) -> Memory {
    Memory(resident: left.resident - right.resident, allocated: left.allocated - right.allocated)
  }

  static func + (left: Memory, right: Memory) -> Memory {
    Memory(resident: left.resident + right.resident, allocated: left.allocated + right.allocated)
  }

  /// Returns the second value of statm, which is in pages. NB: not with `Data`, which cannot read a file of unknown
  /// length.
  private static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 128)
    let count = fread(&line, 1, line.count, file)
    let figures = String(decoding: line[..<count], as: UTF8.self).split(separator: " ")
    return figures.count > 1 ? (Int(figures[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}
