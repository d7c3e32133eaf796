import CMallocInfo
import Foundation

/// What the process holds, in bytes; 0 where the system does not tell.
struct Memory {
  /// Of this in memory, as the kernel counts.
  let resident: Int
  /// Handed out by malloc.
  let allocated: Int

  static var now: Memory { Memory(resident: residentBytes(), allocated: malloc_bytes_in_use()) }

  static func - (left: Memory, right: Memory) -> Memory {
    Memory(resident: left.resident - right.resident, allocated: left.allocated - right.allocated)
  }

  static func + (left: Memory, right: Memory) -> Memory {
    Memory(resident: left.resident + right.resident, allocated: left.allocated + right.allocated)
  }

  /// The second figure of statm, in pages. NB: read without `Data`, which would not take a file of unknown length.
  private static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 128)
    let count = fread(&line, 1, line.count, file)
    let figures = String(decoding: line[..<count], as: UTF8.self).split(separator: " ")
    return figures.count > 1 ? (Int(figures[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}
