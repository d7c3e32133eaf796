import CLibrary
import FoundationCore
import Localization
import Platform
import TerminalCore
import TerminalCurses

/// The end of the output because its reader has gone. Not an error of the program.
struct ClosedPipe: Error {}

/// Unbuffered standard output and standard error.
enum Output {
  /// The greatest width that `COLUMNS` can give, as a chart takes memory for each column.
  private static let mostColumns = 10_000

  /// The width of the terminal; 80 if standard output is no terminal. `COLUMNS` overrides it.
  static var columns: Int {
    environment()["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, mostColumns) : nil }
      ?? WindowSize.size(of: STDOUT_FILENO).columns
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Throws: `ClosedPipe` if the reader has gone, or `CommandError` on another error.
  static func send(_ bytes: some Collection<UInt8>, to descriptor: Int32 = 1) throws {
    try Array(bytes).withUnsafeBytes { buffer in
      var at = 0
      while at < buffer.count {
        let written = write(descriptor, buffer.baseAddress! + at, buffer.count - at)
        if written >= 0 {
          at += written
        } else if errno == EPIPE {
          throw ClosedPipe()
        } else if errno == EAGAIN {
          waitForRoom(in: descriptor)
        } else if errno != EINTR {
          throw CommandError(.failureOutput, LocalizedMessage.ofLastCall)
        }
      }
    }
  }

  /// Writes a message as one line to standard error.
  static func note(_ sentence: LocalizedMessage) throws {
    try send("\(CLILanguage.words.text(sentence))\n".utf8, to: 2)
  }
}

/// Returns the environment with which the process began.
func environment() -> [String: String] { initialEnvironment }

private let initialEnvironment = ProcessInfo.processInfo.environment
