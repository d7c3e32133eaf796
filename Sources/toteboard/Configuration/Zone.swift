import Localization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The time zone that the board's times are in.
enum Zone: Hashable {
  /// The machine's own.
  case local
  case utc
  /// One of the machine's zones, such as Europe/Paris.
  case named(String)

  /// The zone of that name; nil where the machine has none.
  init?(_ name: String) {
    switch name.lowercased() {
    case "local": self = .local
    case "utc": self = .utc
    default:
      guard Self.isKnown(name) else { return nil }
      self = .named(name)
    }
  }

  var name: String {
    switch self {
    case .local: "local"
    case .utc: "UTC"
    case .named(let name): name
    }
  }

  /// What the zone adds to UTC at a time in milliseconds since 1970, in seconds. NB: a named zone becomes the whole
  /// process's: call it once, before there are threads.
  var offset: @Sendable (Int64) -> Int {
    if self == .utc { return { _ in 0 } }
    if case .named(let name) = self { setenv("TZ", ":\(name)", 1) }
    tzset()
    return { wall in
      var seconds = time_t(wall / 1000)
      var local = tm()
      localtime_r(&seconds, &local)
      return local.tm_gmtoff
    }
  }

  private static let directories = [
    "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ]

  /// Whether the machine has a file of that name that says what a zone is; the C library takes any other for UTC.
  private static func isKnown(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.allSatisfy { $0 > 0x20 } }) else {
      return false
    }
    let own = getenv("TZDIR").map { [String(cString: $0)] } ?? []
    return (own + directories).contains { directory in
      guard let file = fopen("\(directory)/\(name)", "re") else { return false }
      defer { fclose(file) }
      var magic = [UInt8](repeating: 0, count: 4)
      return fread(&magic, 1, 4, file) == 4 && magic == Array("TZif".utf8)
    }
  }
}
