import CLibrary
import Dispatch
import Platform
import TerminalCore

/// The output of a process, of which the beginning is kept. It is read as it comes, so that the process never waits.
final class CommandOutput: Sendable {
  /// The number of bytes that are kept.
  static let maxBytes = 2000

  private let descriptor: Int32
  // A source may be used from any thread: Dispatch synchronizes its functions.
  private nonisolated(unsafe) let source: any DispatchSourceRead
  private let queue = DispatchQueue(label: "toteboard.command-output")
  private let bytes = Locked<[UInt8]>([])

  /// Begins to read a non-blocking descriptor. Closes it at the end of the output, or after `finish()`.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    self.source = source
    source.setEventHandler { [bytes, source] in
      if !Self.read(descriptor, into: bytes) { source.cancel() }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  /// Returns the output up to now on one line, without waiting for processes that still have the pipe.
  func finish() -> String {
    queue.sync {
      if source.isCancelled { return }
      _ = Self.read(descriptor, into: bytes)
      source.cancel()
    }
    let text = String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).joined(separator: " ").cleaned
  }

  /// Reads the available bytes. Returns false at the end of the output.
  private static func read(_ descriptor: Int32, into bytes: Locked<[UInt8]>) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A process that writes without end must not keep this loop: the source calls again.
    for _ in 0..<16 {
      let count = CLibrary.read(descriptor, &buffer, buffer.count)
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      if count == 0 { return false }
      bytes.withLock { $0 += buffer[..<count].prefix(Self.maxBytes - $0.count) }
    }
    return true
  }
}
