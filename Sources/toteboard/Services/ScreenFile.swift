import Dashboard
import Localization
import TerminalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that a screen is written to.
struct ScreenFile {
  let path: String

  /// `~` at the start is the user's home.
  init(_ path: String, home: String?) {
    self.path = path == "~" || path.hasPrefix("~/") ? (home ?? "~") + path.dropFirst() : path
  }

  /// Whether colours belong in it.
  private var isANSI: Bool { [".ansi", ".ans"].contains { path.lowercased().hasSuffix($0) } }

  /// Writes the screen into a new file, whole or not at all; returns what to say of that.
  func write(_ frame: Frame) -> StatusMessage {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      return errno == EEXIST ? note(LocalizedMessage(.screenExists, path)) : note(ofLastCall)
    }
    do {
      try Output.send((isANSI ? frame.ansi : frame.text + "\n").utf8, to: file)
    } catch {
      let what = (error as? any LocalizedMessageError)?.sentence ?? ofLastCall
      close(file)
      unlink(path)
      return note(LocalizedMessage(.screenUnwritten, path, what))
    }
    // NB: a network's file system may tell a full disk only now.
    guard close(file) == 0 else { return note(ofLastCall) }
    return StatusMessage(LocalizedMessage(.screenWritten, path))
  }

  private var ofLastCall: LocalizedMessage { LocalizedMessage(.screenUnwritten, path, LocalizedMessage.ofLastCall) }

  private func note(_ sentence: LocalizedMessage) -> StatusMessage { StatusMessage(sentence, isWarning: true) }
}
