import OddsModel

/// An error of a client: a code, a problem and a remedy.
public struct OddsClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The codes of the problems that the client itself finds.
  enum Code: String {
    case valueInvalid, optionOutOfRange, recordingUnreadable, recordingInvalid, notRecorded, selectionUnavailable
  }

  /// The code of the problem, for programs: `valueInvalid`, `optionOutOfRange`, `recordingUnreadable`,
  /// `recordingInvalid`, `notRecorded`, `selectionUnavailable`, or the code of the feed's error. Codes do not change
  /// between versions.
  public let code: String
  /// The problem in English, with the value that it concerns.
  public let message: String
  /// The remedy in English, a clause that follows the problem.
  public let remedy: String

  init(_ code: Code, _ message: String, remedy: String) {
    self.code = code.rawValue
    self.message = message
    self.remedy = remedy
  }

  init(_ error: FeedError) {
    code = error.code
    message = error.message
    remedy = error.remedy
  }

  /// Calls `body`. Throws its error as one of the client.
  static func wrapping<Result>(_ body: () throws(FeedError) -> Result) throws(OddsClientError) -> Result {
    do throws(FeedError) { return try body() } catch { throw OddsClientError(error) }
  }

  /// The problem and the remedy in one sentence.
  public var description: String { "\(message): \(remedy)" }
}
