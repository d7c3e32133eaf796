import CEmbeddedTexts

/// Text files that are built into the program, so that it runs from any directory and as a single file.
package enum Resources {
  /// The names that the simulated book plays with: sports, their tournaments with country, teams and players.
  ///
  /// One section per sport, `# football`. A line `~ U19, W` lists the suffixes of further squads; every other line
  /// is `country | tournament | team, team, …` with an even number of teams, as each round pairs them all.
  package static var names: String { String(decoding: bytes(embedded_names()), as: UTF8.self) }

  /// The messages of the program in a language, as the bytes of a file of its own: see `CatalogFile`.
  package static func words(of tag: String) -> [UInt8] {
    switch tag {
    case "fr": bytes(embedded_french())
    case "zh-Hant": bytes(embedded_traditional_chinese())
    default: bytes(embedded_english())
    }
  }

  private static func bytes(_ text: embedded_text) -> [UInt8] {
    Array(UnsafeBufferPointer(start: text.bytes, count: text.count))
  }
}
