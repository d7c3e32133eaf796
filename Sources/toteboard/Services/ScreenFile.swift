import CLibrary
import Dashboard
import Localization
import TerminalCore

struct ScreenFile {
  let path: String

  /// Creates the file's path. Expands `~` at the start to the user's home directory.
  init(_ path: String, home: String?) {
    self.path = path == "~" || path.hasPrefix("~/") ? (home ?? "~") + path.dropFirst() : path
  }

  /// Writes the screen to a new file, which is deleted on an error. Returns a message about the result.
  func write(_ frame: Frame) -> StatusMessage {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return errno == EEXIST ? note(LocalizedMessage(.screenExists, path)) : note(ofLastCall) }
    let hasColors = [".ansi", ".ans"].contains { path.lowercased().hasSuffix($0) }
    do {
      try Output.send((hasColors ? frame.ansi : frame.text + "\n").utf8, to: file)
    } catch {
      let message = (error as? any LocalizedMessageError)?.sentence ?? ofLastCall
      close(file)
      unlink(path)
      return note(LocalizedMessage(.screenUnwritten, path, message))
    }
    // NB: a network file system may report a full disk only here.
    guard close(file) == 0 else {
      let failure = note(ofLastCall)
      unlink(path)
      return failure
    }
    return StatusMessage(LocalizedMessage(.screenWritten, path))
  }

  private var ofLastCall: LocalizedMessage { LocalizedMessage(.screenUnwritten, path, LocalizedMessage.ofLastCall) }

  private func note(_ sentence: LocalizedMessage) -> StatusMessage { StatusMessage(sentence, isWarning: true) }
}
