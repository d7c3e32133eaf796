import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The options of a feed from a fake Betfair, with the files that they name.
final class BetfairArguments {
  let address: String
  private(set) var list: [String]
  private let key: TemporaryFile

  init(_ exchange: FakeBetfair, key: String = "KEY", user: String = "user", password: String = "password") throws {
    address = "betfair://127.0.0.1:\(exchange.streamPort)"
    self.key = TemporaryFile("\(key)\n")
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    let line = Array("\(password)\n".utf8)
    precondition(write(ends[1], line, line.count) == line.count)
    close(ends[1])
    list = [
      "--betfair-app-key-file", self.key.path, "--betfair-identity", "http://127.0.0.1:\(exchange.httpPort)",
      "--login", user, "--password-fd", "\(ends[0])",
    ]
  }
}
