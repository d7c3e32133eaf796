#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#endif

extension Array {
  /// Makes room for twice as many where the array is full and large, in large pages where the system has any.
  ///
  /// A table of all football is read all over the place. In pages of 4 KiB the processor then looks for the page longer
  /// than for the record, and the system hands out hundred thousands of them one by one.
  @inline(__always)
  mutating func growInLargePages() {
    if count == capacity, count * MemoryLayout<Element>.stride >= 1 << 20 { moveToLargePages(count: count * 2) }
  }

  @inline(never)
  private mutating func moveToLargePages(count: Int) {
    var roomy = Self.inLargePages(capacity: count)
    roomy.append(contentsOf: self)
    self = roomy
  }

  /// An empty array with room for that many elements.
  static func inLargePages(capacity: Int) -> Self {
    var roomy: Self = []
    roomy.reserveCapacity(capacity)
    #if os(Linux)
      roomy.withUnsafeMutableBufferPointer { buffer in
        let size = capacity * MemoryLayout<Element>.stride
        guard size >= 4 << 20, let base = buffer.baseAddress else { return }
        // Whole pages only; a system that has no large ones refuses, and nothing is lost.
        let start = (UInt(bitPattern: base) + 4095) & ~4095
        let end = (UInt(bitPattern: base) + UInt(size)) & ~4095
        _ = madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
      }
    #endif
    return roomy
  }
}
