import CLibrary

extension Array {
  /// Doubles the capacity of a full array of at least 1 MiB. From 4 MiB on, uses large pages if the system has them.
  ///
  /// The table of a large sport is accessed at random. With pages of 4 KiB, address translation takes longer than the
  /// access itself, and the system allocates hundreds of thousands of pages one by one.
  @inlinable @inline(__always)
  mutating func growInLargePages() {
    if count == capacity, count * MemoryLayout<Element>.stride >= 1 << 20 { moveToLargePages(count: count * 2) }
  }

  @inlinable @inline(never)
  mutating func moveToLargePages(count: Int) {
    var roomy = Self.inLargePages(capacity: count)
    roomy.append(contentsOf: self)
    self = roomy
  }

  /// Returns an empty array with room for `capacity` elements, in large pages from 4 MiB on.
  @inlinable
  static func inLargePages(capacity: Int) -> Self {
    var roomy: Self = []
    roomy.reserveCapacity(capacity)
    roomy.withUnsafeMutableBufferPointer { buffer in
      adviseLargePages(buffer.baseAddress, size: capacity * MemoryLayout<Element>.stride)
    }
    return roomy
  }
}

/// Asks the system to back memory of at least 4 MiB by large pages. Does nothing where there are none.
@usableFromInline
func adviseLargePages(_ memory: UnsafeMutableRawPointer?, size: Int) {
  #if os(Linux)
    guard size >= 4 << 20, let memory else { return }
    // Only whole pages can be advised. A system without large pages returns an error, which is harmless.
    let start = (UInt(bitPattern: memory) + 4095) & ~4095
    let end = (UInt(bitPattern: memory) + UInt(size)) & ~4095
    _ = madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
  #endif
}
