#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the process was started with.
enum Arguments {
  /// The arguments. A password among them is gone from the process's own list, which every user can read, before anything
  /// else is done.
  static func take() -> [String] {
    let arguments = CommandLine.arguments
    let (option, prefix) = ("--demo-user", "--demo-user=")
    var isSecret = false
    for place in 0..<Int(CommandLine.argc) {
      guard let text = CommandLine.unsafeArgv[place] else { break }
      if isSecret {
        wipe(text)
      } else if strncmp(text, prefix, prefix.utf8.count) == 0 {
        wipe(text + prefix.utf8.count)
      }
      isSecret = strcmp(text, option) == 0
    }
    return Array(arguments.dropFirst())
  }

  private static func wipe(_ text: UnsafeMutablePointer<CChar>) {
    memset(text, CInt(UInt8(ascii: "*")), strlen(text))
  }
}
