import Foundation

/// The seeds of the feeds on which a law is tried. LAW_SEEDS in the environment sets a larger number.
package enum Laws {
  package static func seeds(_ count: UInt64) -> Range<UInt64> {
    0..<(ProcessInfo.processInfo.environment["LAW_SEEDS"].flatMap(UInt64.init) ?? count)
  }
}
