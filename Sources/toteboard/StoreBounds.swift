import ArgumentParser
import OddsFeed

/// How much a channel's store keeps waiting.
struct StoreBounds: ParsableArguments {
  @Option(help: "How many records may wait for another one that they belong to, 0 to 10000000.")
  var heldLimit = StoreOptions().heldLimit

  @Option(help: "How many seconds a record may wait, 0 to 86400.")
  var heldAge = Int(StoreOptions().heldAge / .seconds(1))

  mutating func validate() throws {
    guard 0...10_000_000 ~= heldLimit else {
      throw ValidationError("--held-limit '\(heldLimit)' is out of range: give 0 to 10000000")
    }
    guard 0...86_400 ~= heldAge else {
      throw ValidationError("--held-age '\(heldAge)' is out of range: give 0 to 86400")
    }
  }

  var options: StoreOptions {
    var options = StoreOptions()
    options.heldLimit = heldLimit
    options.heldAge = .seconds(heldAge)
    return options
  }
}
