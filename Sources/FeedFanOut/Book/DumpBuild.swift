/// A dump that is being built for requests of gateways.
struct DumpBuild: Sendable {
  /// The subjects of the answers.
  private(set) var replies: [String]
  /// Builds the dump; nil once that has begun.
  private var build: (@Sendable () -> [UInt8])?
  /// True if only lists wait for it.
  private var isForList: Bool

  init(_ build: @escaping @Sendable () -> [UInt8], _ reply: String, isForList: Bool) {
    self.build = build
    self.isForList = isForList
    replies = [reply]
  }

  /// Adds a request. Returns true if the dump must not wait for those of lists any more.
  mutating func add(_ reply: String, isForList: Bool) -> Bool {
    replies.append(reply)
    guard self.isForList, !isForList else { return false }
    self.isForList = false
    return true
  }

  /// Returns the function that builds the dump, for the first caller.
  mutating func begin() -> (@Sendable () -> [UInt8])? { build.take() }
}
