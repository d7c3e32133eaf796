import ArgumentParser
import Localization
import OddsFeed
import ProgramArguments

/// The limits on the pending records of a channel's store.
struct StoreLimitOptions: ParsableArguments {
  @Option(help: .setting("held_limit"))
  var heldLimit: TypedValue<Int>?

  @Option(help: .setting("held_age"))
  var heldAge: TypedValue<Int>?

  mutating func validate() throws {
    try heldLimit?.check("--held-limit", 0...10_000_000)
    try heldAge?.check("--held-age", 0...86_400)
  }

  func override(_ configuration: inout Configuration) {
    if let heldLimit = heldLimit?.value { configuration.heldLimit = heldLimit }
    if let heldAge = heldAge?.value { configuration.heldAge = heldAge }
  }

  mutating func fill(from configuration: Configuration) {
    heldLimit = TypedValue(configuration.heldLimit)
    heldAge = TypedValue(configuration.heldAge)
  }

  var options: StoreOptions {
    var options = StoreOptions()
    if let heldLimit = heldLimit?.value { options.heldLimit = heldLimit }
    if let heldAge = heldAge?.value { options.heldAge = .seconds(heldAge) }
    return options
  }
}
