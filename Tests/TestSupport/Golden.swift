#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Texts that stand in files beside the tests. With RECORD=1 in the environment they are written anew: look at the
/// difference before you commit it.
package enum Golden {
  /// The text of `Golden/NAME.txt` beside the test file, or nil where it is missing.
  package static func text(_ name: String, recording new: String, beside file: StaticString = #filePath) -> String? {
    let path =
      "\(file)".split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/Golden/\(name).txt"
    if getenv("RECORD") != nil { write(new + "\n", to: path) }
    return read(path).map { String($0.dropLast()) }
  }

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
