import Platform

/// The help texts of the options, which are made each time that ArgumentParser creates its definitions.
///
/// They are omitted while arguments are parsed. ArgumentParser creates the definitions anew for help and for errors.
enum HelpTexts {
  private static let omitted = Locked(false)

  static var areOmitted: Bool { omitted.withLock { $0 } }

  /// Returns the result of `parse`, during which the help texts are omitted.
  static func omit<Result>(during parse: () throws -> Result) rethrows -> Result {
    omitted.withLock { $0 = true }
    defer { omitted.withLock { $0 = false } }
    return try parse()
  }
}
