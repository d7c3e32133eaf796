import Foundation

/// The seeds of the random inputs of a property test. LAW_SEEDS in the environment sets another number.
package enum Laws {
  package static func seeds(_ count: UInt64) -> Range<UInt64> {
    0..<(ProcessInfo.processInfo.environment["LAW_SEEDS"].flatMap(UInt64.init) ?? count)
  }
}
