import CLibrary

/// The command-line arguments of the process.
package enum ProcessArguments {
  /// Returns the arguments without the program's name, and overwrites secrets in the process's own argument list, which
  /// every user of the system can read. Call this before anything else.
  ///
  /// - Parameter secret: The options whose values are secret.
  /// - Parameter user: The options whose values are `user:password`. Only the part after the colon is overwritten.
  package static func consume(hiding secret: Set<String>, passwordsOf user: Set<String> = []) -> [String] {
    let arguments = CommandLine.arguments
    var option = ""
    for place in 0..<Int(CommandLine.argc) {
      guard let text = CommandLine.unsafeArgv[place] else { break }
      hide(text, of: option)
      option = String(cString: text)
      guard let equals = option.firstIndex(of: "=") else { continue }
      hide(text + option[...equals].utf8.count, of: String(option[..<equals]))
    }
    return Array(arguments.dropFirst())

    func hide(_ value: UnsafeMutablePointer<CChar>, of option: String) {
      if secret.contains(option) {
        wipe(value)
      } else if user.contains(option), let colon = strchr(value, CInt(UInt8(ascii: ":"))) {
        wipe(colon + 1)
      }
    }
  }

  private static func wipe(_ text: UnsafeMutablePointer<CChar>) { memset(text, CInt(UInt8(ascii: "*")), strlen(text)) }
}
