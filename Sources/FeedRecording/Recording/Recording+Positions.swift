import JSONText

extension Recording {
  /// Returns lines of a topic, as `read` has returned them, with the time at which each is due in place of its time of
  /// receipt, counted from `begin`.
  func withPositions(_ lines: [UInt8], _ topic: Int, _ places: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(lines.count)
    var index = places.lowerBound
    lines.withUnsafeBufferPointer { lines in
      lines.eachLine(in: 0..<lines.count) { range in
        let line = UnsafeBufferPointer(rebasing: lines[range])
        var cursor = JSONCursor(line)
        // The index has no blank lines.
        if cursor.peek() == 0 || index == places.upperBound { return }
        append(line, time: (begin ?? 0) + Int64(time(topic, index)), to: &result)
        index += 1
      }
    }
    return result
  }

  private func append(_ line: UnsafeBufferPointer<UInt8>, time: Int64, to lines: inout [UInt8]) {
    var message = 0..<line.count
    if let head = RecordingLine(line, format) {
      message = head.message
      // NB: the range of a message at the end of a line ends with the line.
      var cursor = JSONCursor(line, message)
      if head.isEnvelope, let value = try? cursor.value() { message = value }
    }
    var writer = JSONWriter(capacity: 64)
    writer.openObject()
    writer.field("receivedAt", time)
    writer.key("message")
    lines += writer.bytes
    lines += line[message]
    lines += [UInt8(ascii: "}"), 0x0A]
  }
}
