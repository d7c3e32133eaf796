/// Everything that the program says. The case's name is the key in each language's file, which says it.
package enum Phrase: Int, CaseIterable, Sendable {
  /// Somebody else's words.
  case verbatim

  // The board's own bars and rows.
  case boardNoMatches

  // The account.
  case accountLoggedOut, accountSessionEnded

  // What is wrong with a feed.
  case problemAndRemedy

  // Errors, and how the program is used.
  case usageUnknownLanguage
}
