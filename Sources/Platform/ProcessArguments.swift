#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the process was started with.
package enum ProcessArguments {
  /// The arguments, without the program's own name. The values of the options that are secret, and what stands behind a colon
  /// in those of the options that name a user, are gone from the process's own list, which every user can read, before
  /// anything else is done.
  package static func take(hiding secret: Set<String>, passwordsOf user: Set<String> = []) -> [String] {
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

  private static func wipe(_ text: UnsafeMutablePointer<CChar>) {
    memset(text, CInt(UInt8(ascii: "*")), strlen(text))
  }
}
