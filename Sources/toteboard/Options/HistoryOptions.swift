import ArgumentParser
import Dashboard
import Localization
import OddsHistory
import OddsModel
import Platform
import ProgramArguments

/// The history as the configuration sets it.
struct HistoryOptions {
  let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Returns the history as the user's file sets it.
  static func ofUser() throws -> HistoryOptions {
    guard let file = ConfigFile(nil, environment: environment()) else { return HistoryOptions(Configuration()) }
    do throws(ConfigError) { return HistoryOptions(try file.configuration()) } catch {
      throw ValidationError(CLILanguage.words.text(error.sentence(file.path)))
    }
  }

  var limits: HistoryLimits {
    HistoryLimits(days: configuration.historyDays, bytes: configuration.historySize.bytes)
  }

  /// Returns the file of the history.
  ///
  /// - Throws: `CommandError` if there is no directory for it.
  static func file() throws -> HistoryFile {
    guard let file = HistoryFile(environment: environment()) else { throw CommandError(.historyNoHome) }
    return file
  }

  /// Returns the recorder of a feed; nil if its prices are not kept, or there is no home directory. A file or a pipe is
  /// not recorded, because its times are in the past: see `toteboard import`.
  func recorder(
    of feed: FeedOptions.Feed, onOpenings: (@Sendable (OpeningBatch) -> Void)? = nil,
    onMessage: @escaping @Sendable (LocalizedMessage) -> Void
  ) -> HistoryRecorder? {
    guard configuration.keepsHistory, !feed.hasEnd, let file = HistoryFile(environment: environment()) else {
      return nil
    }
    return HistoryRecorder(
      file, feed: name(of: feed), limits: limits, clock: .live, onOpenings: onOpenings, onMessage: onMessage)
  }

  /// Returns the name of a feed in the history. Each run of the simulated feed has matches of its own, whose ids the
  /// next run uses again.
  private func name(of feed: FeedOptions.Feed) -> String {
    feed.address ?? "\(Setting.simulated) \(ISOTime.text(ClientClock.wallTime()))"
  }
}

/// A time span into the past, written as `30s`, `15m`, `2h` or `7d`.
struct HistoryAge: ExpressibleByArgument, Hashable, CustomStringConvertible {
  private static let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
  /// Ten years.
  private static let limit: Int64 = 3650 * 86_400_000

  let milliseconds: Int64
  let description: String

  /// Parses a time span; nil if the text is none between a second and ten years.
  init?(argument: String) {
    guard let unit = argument.last.flatMap({ Self.units[$0] }), let count = Int64(argument.dropLast()),
      1...Self.limit / unit ~= count
    else { return nil }
    milliseconds = count * unit
    description = argument
  }
}

extension TypedValue<HistoryAge>? {
  /// Throws a usage error if the text is no time span.
  func check(_ option: String) throws {
    if let self, self.value == nil { throw ValidationError(.usageNoAge, option, self.text) }
  }

  /// Returns the begin of the time span up to `now`, in milliseconds since 1970; 0, before the begin of any history,
  /// without an option.
  func begin(at now: Int64) -> Int64 { self?.value.map { now - $0.milliseconds } ?? 0 }

  /// Returns the time range from the begin of the time span up to `now`, or up to the end of the history if that is
  /// later. Both ends are included.
  func range(at now: Int64, end: Int64?) -> Range<Int64> { begin(at: now)..<Swift.max(now, end ?? now) + 1 }
}
