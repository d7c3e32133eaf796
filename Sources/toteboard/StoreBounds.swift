import ArgumentParser
import OddsFeed
import Wording

/// How much a channel's store keeps waiting.
struct StoreBounds: ParsableArguments {
  @Option(help: .setting("held_limit"))
  var heldLimit: Int?

  @Option(help: .setting("held_age"))
  var heldAge: Int?

  mutating func validate() throws {
    if let heldLimit, !(0...10_000_000 ~= heldLimit) {
      throw ValidationError(.usageOutOfRange, "--held-limit", "\(heldLimit)", "0", "10000000")
    }
    if let heldAge, !(0...86_400 ~= heldAge) {
      throw ValidationError(.usageOutOfRange, "--held-age", "\(heldAge)", "0", "86400")
    }
  }

  /// What these options say, instead of the file.
  func override(_ configuration: inout Configuration) {
    if let heldLimit { configuration.heldLimit = heldLimit }
    if let heldAge { configuration.heldAge = heldAge }
  }

  /// What they leave open, the file says.
  mutating func fill(from configuration: Configuration) {
    (heldLimit, heldAge) = (configuration.heldLimit, configuration.heldAge)
  }

  var options: StoreOptions {
    var options = StoreOptions()
    if let heldLimit { options.heldLimit = heldLimit }
    if let heldAge { options.heldAge = .seconds(heldAge) }
    return options
  }
}
