import Platform

/// The offsets of a time zone from UTC, in seconds. They differ between summer and winter time.
package struct ZoneOffsets: Sendable {
  /// A function of a time in milliseconds since 1970, which is compared by its identity.
  private final class Lookup: Sendable {
    private let offset: @Sendable (Int64) -> Int
    /// The last times and their offsets: each time has one place in which it can be. A row with a start time is drawn
    /// with several look-ups of that time, each of which takes a thousand instructions in the C library.
    private let known = Locked(Array(repeating: (wall: Int64.min, seconds: 0), count: 127))

    init(_ offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }

    func seconds(at wall: Int64) -> Int {
      known.withLock { known in
        let place = Int(UInt64(bitPattern: wall / 60_000) % UInt64(known.count))
        if known[place].wall != wall { known[place] = (wall, offset(wall)) }
        return known[place].seconds
      }
    }
  }

  private let fixed: Int
  /// Nil if the offset is always the same.
  private let lookup: Lookup?

  /// Creates the zone with an offset that is always the same.
  package init(fixed: Int) {
    self.fixed = fixed
    lookup = nil
  }

  /// Creates a zone. `offset` returns its offset at a time in milliseconds since 1970.
  package init(_ offset: @escaping @Sendable (Int64) -> Int) {
    fixed = 0
    lookup = Lookup(offset)
  }

  /// Returns the offset at a time in milliseconds since 1970.
  func seconds(at wall: Int64) -> Int { lookup?.seconds(at: wall) ?? fixed }
}

extension ZoneOffsets: Hashable {
  package static func == (left: ZoneOffsets, right: ZoneOffsets) -> Bool {
    left.fixed == right.fixed && left.lookup === right.lookup
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(fixed) }
}

extension ZoneOffsets: ExpressibleByIntegerLiteral {
  package init(integerLiteral seconds: Int) { self.init(fixed: seconds) }
}
