#if os(Linux)
  import Glibc
  import TestSupport

  extension ProgramProcess {
    /// Returns the first 64 KiB of a file of the process in /proc; nil if it cannot be opened.
    func procFile(_ name: String) -> String? {
      guard let file = fopen("/proc/\(id)/\(name)", "r") else { return nil }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = fread(&bytes, 1, bytes.count, file)
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
#endif
