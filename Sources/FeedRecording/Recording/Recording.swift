import Algorithms
package import Localization
package import OddsFeed
public import OddsModel

/// An index of a recorded feed in a file: its topics, and the offset and time of each message. The messages stay in the
/// file.
///
/// A line is a recorded message, `{"receivedAt":ms,"topic":"…","message":{…}}`, or a bare message. A bare message has
/// the topic `/feed` and the time of the line before it. Times count from the first line, in milliseconds. A gap
/// between two lines counts as at most ten seconds, and time never runs backwards.
public struct Recording: Sendable {
  /// The topic of bare messages.
  public static let bareTopic = Topic(path: "/feed")
  /// The longest gap between two lines. A longer one counts as this, for example between two recordings in one file.
  public static let longestGap = Duration.seconds(10)
  /// The largest number of topics.
  public static let maxTopics = 10_000

  /// The topics in order of appearance.
  public internal(set) var topics: [Topic] = []
  /// The duration from the first line to the last.
  public var duration: Duration { .milliseconds(Int64(length)) }
  /// False if no line has a time of receipt. Such a recording has no pace.
  public var hasTimes: Bool { begin != nil }

  let file: RecordingFile
  package let format: any FeedFormat
  /// The greatest length of a message, in bytes; a longer line is not a message.
  let lineLimit: Int
  /// The lines in the order of the file.
  var lines: [Line] = []
  /// The offset of the end of the last line. An incomplete line after it is left out.
  var end: Int64 = 0
  /// The tracks of `topics`, in the same order.
  var tracks: [Track] = []
  /// The time of the last line, in milliseconds since the beginning of the recording.
  var length: UInt32 = 0
  /// The time of receipt of the first line that has one, in milliseconds since 1970; nil if no line has one.
  package internal(set) var begin: Int64?

  struct Line {
    var offset: Int64
    /// The time since the beginning of the recording, in milliseconds.
    var time: UInt32
    /// An index in `topics`.
    var topic: UInt16
    /// The hash of the line's first bytes.
    var mark: UInt16
  }

  /// The lines of one topic, in the order of playback.
  struct Track {
    /// Indices in `Recording.lines`.
    var lines: [UInt32] = []
    /// The indices in this track's `lines` that are dumps.
    var dumps: [Int] = []
    /// The time of receipt of the first line that has one, in milliseconds since 1970.
    var begin: Int64?
  }

  /// Returns the time at which a line of a topic is due, in milliseconds since the beginning of the recording.
  func time(_ topic: Int, _ index: Int) -> UInt32 { lines[Int(tracks[topic].lines[index])].time }

  /// Returns the range of a line of a topic in the file, in bytes.
  func bytes(_ topic: Int, _ index: Int) -> Range<Int64> {
    let line = Int(tracks[topic].lines[index])
    return lines[line].offset..<(line + 1 < lines.count ? lines[line + 1].offset : end)
  }

  /// Returns the index of the last dump of a topic at or before a time; nil if there is none.
  package func lastDump(_ topic: Int, by time: UInt32) -> Int? {
    let dumps = tracks[topic].dumps
    let next = dumps.partitioningIndex { self.time(topic, $0) > time }
    return next > 0 ? dumps[next - 1] : nil
  }
}

extension RecordingError: LocalizedMessageError {}

/// The reason why a file cannot be played.
public enum RecordingError: Error, Hashable, CustomStringConvertible {
  /// The system reports an error.
  case cannotRead(String)
  /// The file contains no message.
  case noMessages
  /// The file became shorter while it was played.
  case cutShort
  /// The file was overwritten while it was played.
  case overwritten
  /// The file is compressed and cannot be decompressed.
  case damaged
  /// The content of the compressed file is larger than so many MiB, which is far more than usual for its size.
  case expandsTooMuch(mebibytes: Int)
  /// The file has more topics than a recording can have.
  case tooManyTopics(limit: Int)

  package var sentence: LocalizedMessage {
    switch self {
    case .cannotRead(let why): LocalizedMessage(.feedUnreadable, LocalizedMessage.foreign(why))
    case .noMessages: FeedError(.feedWithoutMessages, remedy: .remedyGiveFeed).sentence
    case .cutShort: LocalizedMessage(.recordingCutShort)
    case .overwritten: LocalizedMessage(.recordingOverwritten)
    case .damaged: LocalizedMessage(.recordingDamaged)
    case .expandsTooMuch(let limit): LocalizedMessage(.recordingExpands, limit)
    case .tooManyTopics(let limit): LocalizedMessage(.recordingTooManyTopics, limit)
    }
  }

  /// The reason in English.
  public var description: String { sentence.description }
}
