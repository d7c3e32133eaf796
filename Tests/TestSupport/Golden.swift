#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Expected texts in the folder `Golden` of a test target. RECORD=1 in the environment writes them again: review the
/// difference before you commit it.
package enum Golden {
  /// Returns the text of `Golden/NAME.txt` in the target of a test file, or nil if there is no such file. Returns an
  /// error message in its place if the file is to be written and cannot be.
  package static func text(_ name: String, recording new: String, for file: StaticString = #filePath) -> String? {
    let folders = "\(file)".split(separator: "/", omittingEmptySubsequences: false)
    guard let tests = folders.lastIndex(of: "Tests") else { return nil }
    let path = folders[...(tests + 1)].joined(separator: "/") + "/Golden/\(name).txt"
    if getenv("RECORD") != nil, !write(new + "\n", to: path) { return "'\(path)' cannot be written" }
    return read(path).map { String($0.dropLast()) }
  }

  /// Returns false if the file cannot be written.
  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let isAccepted = fputs(text, file) >= 0
    return fclose(file) == 0 && isAccepted
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
