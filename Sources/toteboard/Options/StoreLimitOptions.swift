import ArgumentParser
import Localization
import OddsFeed
import ProgramArguments

/// The limits on the pending records of a channel's store.
struct StoreLimitOptions: ParsableArguments {
  @Option(help: .setting("pending_limit"))
  var pendingLimit: TypedValue<Int>?

  @Option(help: .setting("pending_timeout"))
  var pendingTimeout: TypedValue<Int>?

  mutating func validate() throws {
    try pendingLimit?.check("--pending-limit", Configuration.pendingLimitRange)
    try pendingTimeout?.check("--pending-timeout", Configuration.pendingTimeoutRange)
  }

  func override(_ configuration: inout Configuration) {
    if let pendingLimit = pendingLimit?.value { configuration.pendingLimit = pendingLimit }
    if let pendingTimeout = pendingTimeout?.value { configuration.pendingTimeout = pendingTimeout }
  }

  mutating func fill(from configuration: Configuration) {
    pendingLimit = TypedValue(configuration.pendingLimit)
    pendingTimeout = TypedValue(configuration.pendingTimeout)
  }

  var options: StoreOptions {
    var options = StoreOptions()
    if let pendingLimit = pendingLimit?.value { options.pendingLimit = pendingLimit }
    if let pendingTimeout = pendingTimeout?.value { options.pendingTimeout = .seconds(pendingTimeout) }
    return options
  }
}
