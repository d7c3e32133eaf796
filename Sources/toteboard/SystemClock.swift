#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The machine's clock and time zone, named only in the programs.
enum SystemClock {
  /// Milliseconds since 1970.
  static func wall() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// What the local zone adds to UTC at a time in milliseconds since 1970, in seconds.
  static func zone(at wall: Int64) -> Int {
    var seconds = time_t(wall / 1000)
    var local = tm()
    localtime_r(&seconds, &local)
    return local.tm_gmtoff
  }
}
