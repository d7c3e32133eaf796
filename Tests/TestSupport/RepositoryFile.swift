#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The text files of the repository, for tests that compare them with the program.
package enum RepositoryFile {
  /// Returns the text of a file.
  ///
  /// - Parameter path: The path below the repository's top level.
  package static func text(_ path: String) throws -> String {
    let root = #filePath.dropLast("Tests/TestSupport/RepositoryFile.swift".count)
    return try String(contentsOfFile: root + path, encoding: .utf8)
  }
}
