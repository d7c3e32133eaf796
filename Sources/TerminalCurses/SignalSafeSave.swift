import CTerminalGuard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the program leaves behind when a signal ends it, which leaves no time to do anything.
package enum SignalSafeSave {
  /// From now on such an ending puts these bytes into that file, for its owner alone; nil takes that back.
  package static func set(_ bytes: [UInt8]?, at path: String) {
    guard let bytes else {
      _ = terminal_will_set(nil, nil, nil, 0)
      return
    }
    // NB: where there is no memory for it, what was last set stays.
    _ = terminal_will_set(path, "\(path).\(getpid()).last", bytes, bytes.count)
  }
}
