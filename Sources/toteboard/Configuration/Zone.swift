import CLibrary
import Localization

/// The time zone of the displayed times.
enum Zone: Hashable {
  case local
  case utc
  /// A time zone in the machine's database, such as Europe/Paris.
  case named(String)

  /// Creates the zone of a name; nil if the machine does not know it.
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

  /// Makes this the time zone of the process, unless it is UTC. NB: call it once, before there are threads.
  ///
  /// - Returns: The function that returns the offset from UTC in seconds, at a time in milliseconds since 1970.
  func install() -> @Sendable (Int64) -> Int {
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

  /// Returns true if the machine has a zone file of that name. The C library treats any other name as UTC.
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
