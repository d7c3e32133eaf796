package import Localization
public import OddsFeed

/// A recorded feed in a file: which topics there are, and where in the file and when each message came.
///
/// A line is a recorded message, `{"receivedAt":ms,"topic":"…","message":{…}}`, or a bare message. A bare one belongs to the topic
/// `/feed` and to the time of the line before it. Times count from the first line, in milliseconds; a gap between
/// two lines counts as at most ten seconds, and time never runs backwards. The messages themselves stay in the file.
public struct Recording: Sendable {
  /// Why a file cannot be played.
  public enum Failure: Error, Hashable, CustomStringConvertible {
    /// With the system's reason.
    case cannotRead(String)
    /// It holds no message.
    case noMessages
    /// It became shorter while it was played.
    case cutShort
    /// Something else was written over it while it was played.
    case overwritten

    package var sentence: LocalizedMessage {
      switch self {
      case .cannotRead(let why): LocalizedMessage(.feedUnreadable, LocalizedMessage.foreign(why))
      case .noMessages: FeedError(.feedWithoutMessages, remedy: .remedyGiveFeed).sentence
      case .cutShort: LocalizedMessage(.recordingCutShort)
      case .overwritten: LocalizedMessage(.recordingOverwritten)
      }
    }

    /// In English.
    public var description: String { sentence.description }
  }

  /// Where bare messages belong.
  public static let bareTopic = Topic(path: "/feed")
  /// A longer silence counts as this much: nobody waits out the week between two recordings in one file.
  public static let longestGap = Duration.seconds(10)
  /// More topics than there are keys for channels are left out.
  public static let mostTopics = 9

  /// In the order in which they appear.
  public internal(set) var topics: [Topic] = []
  /// From the first line to the last.
  public var duration: Duration { .milliseconds(Int64(length)) }
  /// False where no line says when it was received: such a recording has no pace.
  public internal(set) var hasTimes = false

  let file: RecordingFile
  /// A longer line is no message.
  let lineLimit: Int
  /// In the order of the file.
  var lines: [Line] = []
  /// Where the last line ends; a torn one behind it is left out.
  var end: Int64 = 0
  /// For each topic.
  var tracks: [Track] = []
  /// The last line's time.
  var length: UInt32 = 0

  struct Line {
    var offset: Int64
    /// In milliseconds since the recording's beginning.
    var time: UInt32
    /// A place in `topics`; `otherTopic` for what is left out.
    var topic: UInt16
    /// Of its first bytes.
    var mark: UInt16
  }

  static let otherTopic = UInt16.max

  /// One topic's lines, in the order in which they are played.
  struct Track {
    /// Places in `Recording.lines`.
    var lines: [UInt32] = []
    /// The places in `lines` above that hold a dump.
    var dumps: [Int] = []
    /// When its first line was received, in milliseconds since 1970.
    var begin: Int64?
  }

  /// When a line of a topic is due, in milliseconds since the recording's beginning.
  func time(_ topic: Int, _ place: Int) -> UInt32 { lines[Int(tracks[topic].lines[place])].time }

  /// Where a line of a topic lies in the file.
  func bytes(_ topic: Int, _ place: Int) -> Range<Int64> {
    let line = Int(tracks[topic].lines[place])
    return lines[line].offset..<(line + 1 < lines.count ? lines[line + 1].offset : end)
  }

  /// The last dump of a topic that has come by a time; nil where none has.
  package func lastDump(_ topic: Int, by time: UInt32) -> Int? {
    let dumps = tracks[topic].dumps
    var (low, high) = (0, dumps.count)
    while low < high {
      let middle = (low + high) / 2
      if self.time(topic, dumps[middle]) <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? dumps[low - 1] : nil
  }
}

extension Recording.Failure: LocalizedMessageError {}
