/// The offsets of a time zone from UTC, in seconds. They differ between summer and winter time.
package struct ZoneOffsets: Sendable {
  /// A function of a time in milliseconds since 1970, which is compared by its identity.
  private final class Lookup: Sendable {
    let offset: @Sendable (Int64) -> Int

    init(_ offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }
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
  func seconds(at wall: Int64) -> Int { lookup?.offset(wall) ?? fixed }
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
