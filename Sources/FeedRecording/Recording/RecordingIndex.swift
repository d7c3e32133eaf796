import JSONText
import OddsFeed
import OddsModel

/// The state kept between lines while a recording is indexed.
struct RecordingIndex {
  private let format: any FeedFormat
  private var time: UInt32 = 0
  private var lastReceived: Int64?
  private var indices: [Topic: UInt16] = [:]
  private var hasTooManyTopics = false
  /// The raw bytes and the index of the previous line's topic, which is usually the next line's too.
  private var lastTopic: (raw: [UInt8], index: UInt16)?
  /// The index of the topic of bare messages; nil before the first one.
  private var bareIndex: UInt16?
  /// The lines of each topic that precede its first dump, until that dump is found.
  private var early: [[Early]] = []

  private struct Early {
    let line: UInt32
    let version: Int64?
  }

  init(_ format: any FeedFormat) { self.format = format }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int64, to recording: inout Recording) {
    var cursor = JSONCursor(bytes)
    guard cursor.peek() != 0, recording.lines.count < Int(UInt32.max) else { return }
    guard bytes.count <= recording.lineLimit, let line = RecordingLine(bytes, format) else {
      // Too long, incomplete or not JSON: the line counts for the topic of the line before it.
      let topic = recording.lines.last?.topic ?? indexOfBare(in: &recording)
      return add(bytes, offset, topic, MessageHead(), to: &recording)
    }
    let head = format.head(of: UnsafeBufferPointer(rebasing: bytes[line.message]))
    let received = line.receivedAt ?? head.sentAt
    if let received { advance(to: received, &recording) }
    let topic = line.topic.map { index(of: bytes[$0], in: &recording) } ?? indexOfBare(in: &recording)
    add(bytes, offset, topic, head, to: &recording)
    if recording.tracks[Int(topic)].begin == nil { recording.tracks[Int(topic)].begin = received }
  }

  /// Ends indexing. Topics without a dump are played in the order of the file.
  func finish(_ recording: inout Recording) throws(RecordingError) {
    if hasTooManyTopics { throw .tooManyTopics(limit: Recording.maxTopics) }
    for topic in recording.tracks.indices where recording.tracks[topic].dumps.isEmpty && format.updatesMayPrecedeDump {
      recording.tracks[topic].lines = early[topic].map(\.line)
    }
    recording.length = time
  }

  private mutating func advance(to received: Int64, _ recording: inout Recording) {
    recording.begin = recording.begin ?? received
    if let lastReceived {
      let gap = min(max(0, received - lastReceived), Int64(Recording.longestGap / .milliseconds(1)))
      let (sum, isOver) = time.addingReportingOverflow(UInt32(gap))
      time = isOver ? .max : sum
    }
    lastReceived = received
  }

  /// Adds a line. Lines before a topic's first dump are moved behind it, or dropped if they are older than it, as for a
  /// client that receives updates while it waits for the dump. A jump back can then begin with the dump.
  private mutating func add(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int64, _ topic: UInt16, _ head: MessageHead,
    to recording: inout Recording
  ) {
    let line = UInt32(recording.lines.count)
    let mark = Recording.Line.mark(of: bytes)
    recording.lines.append(Recording.Line(offset: offset, time: time, topic: topic, mark: mark))
    let index = Int(topic)
    if head.isDump { recording.tracks[index].dumps.append(recording.tracks[index].lines.count) }
    guard !recording.tracks[index].dumps.isEmpty || !format.updatesMayPrecedeDump else {
      return early[index].append(Early(line: line, version: head.version))
    }
    recording.tracks[index].lines.append(line)
    for other in early[index] {
      if let old = other.version, let version = head.version, old < version { continue }
      recording.lines[Int(other.line)].time = time
      recording.tracks[index].lines.append(other.line)
    }
    early[index] = []
  }

  private mutating func indexOfBare(in recording: inout Recording) -> UInt16 {
    if let bareIndex { return bareIndex }
    let index = index(of: Recording.bareTopic, in: &recording)
    bareIndex = index
    return index
  }

  private mutating func index(of raw: Slice<UnsafeBufferPointer<UInt8>>, in recording: inout Recording) -> UInt16 {
    if let lastTopic, lastTopic.raw.elementsEqual(raw) { return lastTopic.index }
    let index = index(of: Topic(path: Self.text(raw)), in: &recording)
    lastTopic = (Array(raw), index)
    return index
  }

  private mutating func index(of topic: Topic, in recording: inout Recording) -> UInt16 {
    if let index = indices[topic] { return index }
    guard recording.topics.count < Recording.maxTopics else {
      hasTooManyTopics = true
      return 0
    }
    let index = UInt16(recording.topics.count)
    indices[topic] = index
    recording.topics.append(topic)
    recording.tracks.append(Recording.Track())
    early.append([])
    return index
  }

  /// Returns the text of a raw JSON string. Resolves escaped slashes, quotes and backslashes, and no other escapes.
  static func text(_ raw: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in raw {
      if isEscaped, !"/\"\\".utf8.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      if !isEscaped { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
