import ArgumentParser
import OddsFeed
import Wording

/// How much a channel's store keeps waiting.
struct StoreBounds: ParsableArguments {
  @Option(help: .phrase(.optionHeldLimit))
  var heldLimit = StoreOptions().heldLimit

  @Option(help: .phrase(.optionHeldAge))
  var heldAge = Int(StoreOptions().heldAge / .seconds(1))

  mutating func validate() throws {
    guard 0...10_000_000 ~= heldLimit else {
      throw ValidationError(.usageOutOfRange, "--held-limit", "\(heldLimit)", "0", "10000000")
    }
    guard 0...86_400 ~= heldAge else {
      throw ValidationError(.usageOutOfRange, "--held-age", "\(heldAge)", "0", "86400")
    }
  }

  var options: StoreOptions {
    var options = StoreOptions()
    options.heldLimit = heldLimit
    options.heldAge = .seconds(heldAge)
    return options
  }
}
