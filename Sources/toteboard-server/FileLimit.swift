#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

enum FileLimit {
  /// Raises the limit of open files to the maximum of the system, because each client needs one.
  static func raise() {
    #if canImport(Darwin)
      let files = RLIMIT_NOFILE
    #else
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(files, &limit)
  }
}
