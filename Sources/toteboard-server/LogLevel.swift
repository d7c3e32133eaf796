import ArgumentParser
import Logging

/// The least severe level that is logged.
struct LogLevel: ExpressibleByArgument {
  let level: Logger.Level

  init(level: Logger.Level) { self.level = level }

  init?(argument: String) {
    guard let level = Logger.Level(rawValue: argument) else { return nil }
    self.level = level
  }

  var defaultValueDescription: String { level.rawValue }
  static var allValueStrings: [String] { Logger.Level.allCases.map(\.rawValue) }

  func logger() -> Logger {
    var logger = Logger(label: "toteboard-server", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = level
    return logger
  }
}
