/// Everything that the program says. The case's name is the key in each language's file, which says it.
package enum Phrase: Int, CaseIterable, Sendable {
  /// Somebody else's words.
  case verbatim

  // The board's own bars and rows.
  case boardNoMatches

  // The account.
  case accountLoggedOut, accountSessionEnded
  case accountEndExpired, accountEndKicked, accountEndTerminated, accountEndOther, accountEndRefused
  case accountGoHome, accountGoHomeKey, accountLogin, accountLoginKey, accountStay, accountStayKey
  case accountLogOut, accountLogOutKey, accountLogOutTitle, accountLogOutQuestion
  case accountFormTitle, accountFormUser, accountFormPassword, accountFormBusy
  case accountHintOther, accountHintChoose, accountHintField, accountHintClear, accountHintCancel
  case accountHintPane, accountHintLogIn, accountHintLogOut, accountHintEnd
  case accountKeyPane, accountKeyLogin, accountKeyEnd
  case accountHeading, accountUser, accountSession, accountUpdates, accountAsOf, accountNow, accountDay
  case accountBalance, accountReal, accountBonus, accountTotal
  case accountPostings, accountNoPostings, accountTime, accountOperation, accountAfter, accountLines
  case accountDebit, accountCredit, accountReserve, accountRelease
  case accountStateOut, accountStateLoggingIn, accountStateRefused, accountStateIn, accountStateEnded
  case accountStreamClosed, accountStreamConnecting, accountStreamLive, accountStreamWaiting, accountStreamDue
  case accountStreamFailed
  case accountHowIn, accountHowOut, accountHowEnd, accountNone

  // What is wrong with a feed.
  case problemAndRemedy

  // Errors, and how the program is used.
  case usageUnknownLanguage
}
