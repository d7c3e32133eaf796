/// Text files that are built into the program, so that it runs from any directory and as a single file.
package enum Resources {
  /// The names that the simulated book plays with: sports, their tournaments with country, teams and players.
  ///
  /// One section per sport, `# football`. A line `~ U19, W` lists the suffixes of further squads; every other line
  /// is `country | tournament | team, team, …` with an even number of teams, as each round pairs them all.
  package static var names: String {
    String(decoding: PackageResources.names_txt, as: UTF8.self)
  }

  /// What the program says in a language, as a file of its own: see `CatalogFile`.
  package static func words(of tag: String) -> String {
    let bytes =
      switch tag {
      case "fr": PackageResources.fr_txt
      case "zh-Hant": PackageResources.zh_Hant_txt
      default: PackageResources.en_txt
      }
    return String(decoding: bytes, as: UTF8.self)
  }
}
