import CLibrary
import CTerminalGuard

/// A file that a signal handler writes when a signal ends the program.
package enum SignalSafeSave {
  /// Sets the bytes and the path of the file, which only its owner can access. Nil bytes disable the saving.
  package static func set(_ bytes: [UInt8]?, at path: String) {
    guard let bytes else {
      _ = terminal_will_set(nil, nil, nil, 0)
      return
    }
    // NB: if memory is exhausted, the previous bytes stay.
    _ = terminal_will_set(path, "\(path).\(getpid()).last", bytes, bytes.count)
  }
}
