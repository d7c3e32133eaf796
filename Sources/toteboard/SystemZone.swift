#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The machine's time zone, named only in the programs.
enum SystemZone {
  /// What the local zone adds to UTC at a time in milliseconds since 1970, in seconds.
  static func offset(at wall: Int64) -> Int {
    var seconds = time_t(wall / 1000)
    var local = tm()
    localtime_r(&seconds, &local)
    return local.tm_gmtoff
  }
}
