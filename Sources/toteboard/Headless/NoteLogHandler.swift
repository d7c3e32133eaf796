import Logging

/// Writes a log as notes, so that a reader that does not read delays nothing but them.
struct NoteLogHandler: LogHandler {
  let label: String
  let notes: LineWriter
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { notes.send(Array("\(event.level) \(label): \(event.message)\n".utf8)) }
}
