/// Everything that the program says. The case's name is the key in each language's file, which says it.
package enum Phrase: Int, CaseIterable, Sendable {
  /// Somebody else's words.
  case verbatim

  // The board's own bars and rows.
  case boardNoMatches, boardWaitingForDump, boardMaintenance, boardNotAnswered, boardProblem, joinedSentences
  case joinedClauses, joinedWords

  // Column titles; what stands in the columns.
  case columnTime, columnScore, columnMatch, columnHome, columnDraw, columnAway, columnOverround, columnAge
  case columnPart, columnTournament, columnCountry, rowEnded, rowSuspended, ageSeconds, ageMinutes, ageHours
  case ageDays

  // How the line is; what can be thought of the prices.
  case statusLive, statusDelayed, statusLocked, statusSuspended, statusClosed, statusPolling, statusCached
  case statusAgo, statusConnecting, statusAttempt, statusHandshaking, statusRecovering, statusLoading
  case statusWaiting, statusWaitingFor, statusMaintenance, statusAgainIn, statusNoAnswer, statusRefused
  case statusFailed, statusOffline, statusEnded, playbackPaused, playbackMax, playbackTimes

  // Counters, hints, modes.
  case counterFrames, counterUpdates, counterChanges, counterConflated, counterBytes, counterFrameTime
  case perSecond, hintChannel, hintPause, hintPlay, hintJump, hintThrottleOff, hintThrottle, hintReconnect
  case hintFreeze, hintDamage, hintWhole, hintInspect, hintHelp, hintQuit, modeFrozen, modeDamage
  case modeWholeScreen

  // The key table.
  case keySpace, keyLeftRight, keyUpDown, keyPages, keyEscape, helpChannel
  case helpNextChannel, helpPause, helpJump, helpRow, helpPage, helpFirst
  case helpThrottle, helpRate, helpReconnect, helpFreeze, helpDamage, helpWhole, helpInspect
  case helpHelp, helpClose, helpQuit

  // The inspector.
  case inspectorLines, inspectorPrices, inspectorReceived, inspectorChannel, inspectorRecords
  case inspectorOutOfOrder, figureState, figureSince, figureSource, figureTopic, figureLagMedian
  case figureLagMost, figureMessages, figureOddsUpdates, figureApplied, figureIgnored, figureDumps
  case figureMemory, figureConflated, figureReaders, figureObservers, figureSports, figureMatches
  case figureMarkets, figureOutcomes, figureRelations, figureOffers, figureMainMarkets, figureEventInfos
  case figureOthers, figureHeld, figureWaiting, figureExpired, figureRecreated, figureUnparsable
  case figureSetAside, figureAudits, figureDivergences, unitMilliseconds, unitKilobytes, unitMegabytes
  case sourceNone, sourceCache, sourceREST, sourceStream, topicRequested, topicLate

  // Channels and feeds.
  case channelLive, channelFootball, channelTennis, channelBasketball, channelNext, channelPopular
  case channelFeed, channelOfSport, feedSimulated

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
  case accountPostings, accountNoPostings, accountTime, accountOperation, accountAfter
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
