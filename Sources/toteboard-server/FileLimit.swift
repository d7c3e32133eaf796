#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

enum FileLimit {
  /// Lets the process open as many files as the system allows: each client is one.
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
