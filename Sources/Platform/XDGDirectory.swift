/// A directory for a user's files, by the XDG Base Directory Specification. Relative paths are ignored, as it requires.
package enum XDGDirectory: Sendable {
  case config, cache, data, state

  /// Returns the directory `toteboard` in it; nil if neither the variable nor `HOME` is an absolute path.
  package func path(_ environment: [String: String]) -> String? {
    if let base = environment[variable], base.hasPrefix("/") { return "\(base)/toteboard" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/\(folder)/toteboard"
  }

  private var variable: String {
    switch self {
    case .config: "XDG_CONFIG_HOME"
    case .cache: "XDG_CACHE_HOME"
    case .data: "XDG_DATA_HOME"
    case .state: "XDG_STATE_HOME"
    }
  }

  /// The default directory, within the user's home.
  private var folder: String {
    switch self {
    case .config: ".config"
    case .cache: ".cache"
    case .data: ".local/share"
    case .state: ".local/state"
    }
  }
}
