import Foundation

/// How many feeds a law is tried on. LAW_SEEDS in the environment makes it more, for a long search.
package enum Laws {
  package static func seeds(_ count: UInt64) -> Range<UInt64> {
    0..<(ProcessInfo.processInfo.environment["LAW_SEEDS"].flatMap(UInt64.init) ?? count)
  }
}
