/// The key of a message of the program. The name of the case is the key in each language's file.
package enum MessageKey: Int, CaseIterable, Sendable {
  /// A text that is the same in every language.
  case verbatim

  // Bars and rows of the board.
  case boardNoMatches, boardWaitingForDump, boardWaitingForLine, boardMaintenance, boardNotAnswered, boardProblem,
    joinedSentences
  case joinedClauses, joinedWords, listedWords

  // Column titles and cells.
  case columnTime, columnScore, columnMatch, columnHome, columnDraw, columnAway, columnOverround, columnAge
  case columnPart, columnTournament, columnCountry, rowEnded, rowSuspended, ageSeconds, ageMinutes, ageHours
  case ageDays

  case noteOdds, oddsDecimal, oddsFractional, oddsAmerican, oddsHongKong, oddsMalay, oddsIndonesian, oddsImplied
  // Connection state and freshness of prices.
  case statusLive, statusDelayed, statusSilent, statusLocked, statusSuspended, statusClosed, statusPolling, statusCached
  case statusAgo, statusConnecting, statusAttempt, statusHandshaking, statusRecovering, statusLoading
  case statusWaiting, statusWaitingFor, statusMaintenance, statusAgainIn, statusNoAnswer, statusTopicError
  case statusRefused
  case statusFailed, statusOffline, statusEnded, playbackPaused, playbackMax, playbackTimes

  // Counters, hints and modes.
  case counterFrames, counterUpdates, counterChanges, counterConflated, counterBytes, counterFrameTime
  case perSecond, hintChannel, hintPause, hintPlay, hintJump, hintThrottleOff, hintThrottle, hintReconnect
  case hintFreeze, hintDamage, hintWhole, hintInspect, hintHelp, hintQuit, modeFrozen, modeDamage
  case modeWholeScreen

  // The table of keys.
  case keySpace, keyEscape, helpChannel
  case helpNextChannel, helpPause, helpJump, helpRow, helpPage, helpFirst
  case helpThrottle, helpRate, helpReconnect, helpFreeze, helpDamage, helpWhole, helpInspect
  case helpHelp, helpClose, helpQuit
  case helpOpen, helpPin, helpWatch, helpFind, helpFound, helpShowAll, helpCommand, helpSort, helpOdds
  case helpAlert, helpAlerts, helpWrite, helpCopy, helpTheme, helpMouse
  // Sorting, pins and pages of the list.
  case noteSorted, noteSortedReversed, orderTime, orderName, orderChange, orderMover, orderOverround, orderFavourite
  case orderHome, orderDraw, orderAway
  case columnMove, channelWatch, boardNothingPinned, noteNoWatch, noteTooManyPins, listLoaded
  // Finding rows, and the command line.
  case findCount, findCountLoading, findCountFirst, findNothing, findNoMatch, findNoMatchYet, findNoMatchOfFirst,
    findFromEnd, findFromStart, queryUnfinished, queryClosed
  case queryOpen, queryTooDeep, queryNoField, queryUnknownField, queryOtherComparison, queryNoValue
  case helpRules, helpRulePrice, helpRuleOutcome, helpRuleMove, helpRuleEvent
  case queryOtherValue, helpCommands, helpFilters, helpWords, helpText, fieldOdds, fieldFavourite, fieldHome
  case fieldDraw, fieldAway, fieldOverround, fieldMove, fieldMinute, fieldScore, fieldTotal, fieldLead
  case fieldStart, fieldName, fieldTournament, fieldCountry, fieldPart, fieldSport, flagLive, flagPending
  case flagEnded, flagSuspended, flagPinned, commandAlert, commandChannel, commandFilter, commandLowBandwidth
  case commandMouse, commandOdds, commandInspect, commandOpen, commandWatch, commandWrite, manualCommands
  case manualFilters, manualAlerts, commandPin, commandRate, commandSort, commandTheme, commandThrottle, commandUnknown
  case commandAmbiguous, commandNoArgument, commandNoMore, commandOtherArgument, commandNoRate, commandRange
  // The pane of a single match.
  case detailHelpOther, detailGone, detailLoading, detailChannelOnly, detailStarted, detailOverround
  case detailColumnOutcome, detailColumnPrice, detailColumnOpen, detailColumnSpan, detailColumnChance
  case detailColumnTrend
  // Screen, mouse and themes.
  case titleBoard, titleTrouble, noteTheme, noteMouseOn, noteMouseOff, noteCopied, noteNoRow
  case themeUnknownPart, themeUnknownWord, optionNoMouse, optionLowBandwidth
  // Key names, settings and the configuration file.
  case keyEnter, keyBackTab, keyUp, keyDown, keyLeft, keyRight, keyPageUp, keyPageDown, keyHome, keyEnd
  case helpMoving, helpFinding, helpPrices, helpPanes, helpSession, helpFeed, helpHalfPage, helpSpace
  case hintFind, hintCommand, hintSort, hintPin, hintOdds, hintAlert, hintOpen, hintWrite, hintTheme
  case keysUnknownCommand, keysUnknownKey, keysTwice, keysNoQuit
  case settingTheme, settingOdds, settingSort, settingReverse, settingMouse, settingLowBandwidth, settingZone
  case settingAlertBell, settingAlertNotify
  case optionFilter, usageNoFilter, optionFresh, optionPrintDefault, optionCheck, optionPath, optionCheckFile,
    aboutConfig, aboutConfigMore
  case usageCheckOnly
  case configNoFlag, configNoChoice, configNoInterval, configNoZone, configNoSpeed, configNoTime, configNoList,
    configNoTable
  case configNoKeyTable, configNoKey, configNoThemeTable, configNoRule
  case configIntroduction, configBoard, configFeed, configNetwork, configChannels, configAlerts, configThemes,
    configKeys
  case configMissing, configRight, configTaken, configTakenLater
  case screenExists, screenUnwritten, screenWritten, sessionUnread, sessionDamaged
  case manualConfiguration, manualSettings, manualKeyNames, manualSentence, manualBoards
  // Alerts and plain output.
  case alertTooMuch, alertUnclosed, alertNoMatch, alertNoPick, alertNoEvent, alertNoComparison, alertNoSpan
  case alertNoMarket, alertNoOutcome
  case alertNoPrice, alertNoPercent, alertNoTime
  case alertRules, alertTold, alertNoRules, alertNothingTold, alertKeys, alertAllMatches, alertTimes
  case alertArmed, alertWaiting, alertDone, alertSilenced, alertArmedAgain, alertUnseen
  case alertAdded, alertKnown, alertTooMany, alertDeleted, alertSpeaks, alertIsSilent, alertMatchElsewhere
  case alertOutcome, alertOutcomeResumed
  case alertTitle, alertHint, alertMany, alertOfMatch, alertPrice, alertUp, alertDown, alertKickOffAt
  case outcomeHome, outcomeDraw, outcomeAway, outcomeFavourite
  case changeSuspended, changeResumed, changeKickOff, changeGoal, changeScore
  case plainMatches, plainStatement, plainMatch, plainMore, plainNew, plainGone, plainEnded, plainEndedAt
  case plainWithdrawn, plainPrice, plainPriceUp, plainPriceDown, plainPriceHeld, plainPriceWithdrawn
  case plainAlert, plainMoreAlerts, plainBack, plainLost, plainSilent, plainMaintenance, plainUnanswered, plainRetrying
  case plainFailed, plainEnd, optionPlain

  // The inspector.
  case inspectorLines, inspectorPrices, inspectorReceived, inspectorChannel, inspectorRecords
  case inspectorOutOfOrder, figureState, figureSince, figureSource, figureTopic, figureLagMedian
  case figureLagMost, figureMessages, figureOddsUpdates, figureApplied, figureIgnored, figureDumps
  case figureMemory, figureConflated, figureReaders, figureObservers, figureSports, figureMatches
  case figureMarkets, figureOutcomes, figureRelations, figureOffers, figureMainMarkets, figureEventInfos
  case figureOthers, figureHeld, figureWaiting, figureExpired, figureRecreated, figureUnparsable
  case figureSetAside, figureOddsAboveLimit, figureUnreadableStatuses, figureTimesOutOfRange
  case figureNestedTooDeep, figureUnknownMessages, figureMalformedMessages, figureByteOrderMarks
  case figureAudits, figureDivergences, unitMilliseconds, unitKilobytes, unitMegabytes
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
  case accountHowIn, accountHowOut, accountHowEnd, accountNone, accountFormDemo
  case optionLogin, optionPasswordFD, optionStayLoggedIn, optionDemoAccount
  case usagePasswordArgument, usageLoginOnly, usageLoginEmpty, usageLoginWithPassword, usageLoginUnfit
  case usageLoginOnSimulated, usageLoginOnFile
  case passwordPrompt, passwordUnfit, failureNoPassword, failurePasswordUnread, failurePasswordUnfit, failureNoHome
  case manualPassword, manualSessions
  case accountStreamEnded, accountStreamGivenUp, accountOddAnswer, accountSessionRefused, accountNotThere
  case accountCannotNow, accountWrongPassword, accountTooManyLogins, accountUnencrypted, accountNoEventStream
  case accountCheckAddress, accountLogInAgain, accountCheckPassword
  case accountWait, accountWaitAWhile
  case accountStreamSilent, accountStreamBrokeOff
  case accountNotPrivate, accountMakePrivate, accountNotKept, accountLookAtDisk, accountNoObject, accountNoField
  case fileIsNone, fileTooLarge, fileCutShort, fileNotPrivate

  // Problems of a feed and their remedies.
  case problemAndRemedy, foreignWords, problemReason, problemSaid
  case tokenEmpty, tokenUnfit, tokenFromFile, tokenFromElsewhere, tokenUnencrypted, tokenFileUnopened,
    tokenFileUnreadable, tokenFileTooLong, tokenFileNoText, remedyTokenOrNone, remedyTokenAlone, remedyTokenFile
  case sessionUnanswered, sessionSilent, sessionBreaksProtocol, violationNoWelcome, violationSecondWelcome,
    violationNotOfServer, sessionEnded, sessionNoRealm, sessionRefused, topicRefused, topicInMaintenance,
    topicUnanswered, topicFailed, topicNoDump, remedyWait, remedyWaitOrNetwork, remedyWaitOrAddress,
    remedyWaitOrNetworkAndAddress,
    remedyOtherRealm, remedyValidTokenThenConnect, remedyOtherChannel, remedyComeBackLater, remedyCheckTopic
  case feedUnreadable, feedWithoutMessages, recordingCutShort, recordingOverwritten, recordingTooManyTopics,
    recordingUnwritable,
    recordingStopped,
    simulatorGone, remedyReadableFeed, remedyGiveFeed, remedyPlayAgain, remedyStartAgain
  case namedFeed, namedREST, quotedWords, namedProxy, namedProxyTo, unnamedProxy, endedSilently, nowhere
  case dialGivenUp, dialTimedOut, dialNameUnknown, dialUnreachable, dialBrokeOff, dialNoWebSocket, dialChoseProtocol,
    dialChoseNoProtocol, dialUnofferedExtension, proxyWantsUser, proxyLeadsElsewhere, proxyOfOtherKind, proxyIsNone,
    remedyConnectAgain, remedyCheckNetworkAndProxy, remedyCheckAddressAndNetwork, remedyCheckName,
    remedyCheckAddressAndFeed, remedyTriedAgain, remedyAskedAgain, remedyCheckIsFeed, remedyProxyUser, remedyCheckProxy,
    remedyProxyURL
  case answerWantsToken, answerRefusesUs, answerElsewhere, answerNotHere, answerCannotServe, answerNoFeed,
    answerTooMuch, answerBrokeOff, answerNoList, answerNoREST, answerCannotAnswer, answerOther, remedyValidToken,
    remedyCheckTokenAndOrigin, remedyGiveThatAddress, remedyCheckPath, remedyWaitForStream, remedyCheckHostIsWell,
    restSilent
  case sessionKilled, sessionShutDown, answerWantsLogin, remedyLogIn, answerNoHTTP
  case tlsOfOtherHost, tlsNameUncertifiable, tlsUntrusted, tlsBrokeOff, tlsNotSpoken, tlsDisagrees, remedyCheckHost,
    remedyASCIIHost, remedyNameAuthority, remedyCheckPort, remedyTLS12
  case lineClosedFromHere, lineClosed, lineClosedWithCode, lineEndedSilently, lineBrokeOff, lineTakesNothing,
    lineMessageTooLong, lineFrameTooLong, lineNoFrame, lineNoUTF8, lineSentBinary, lineSentBadClose, lineSentMasked,
    lineSentUnexpected
  case addressNoURL, addressNoWebSocket, addressOtherScheme, addressBlanks, addressFragment, addressUser,
    addressOpenBracket, addressNoHost, addressNoIPv6, addressColons, addressPort, addressPath, originIsNone,
    caFileUnreadable, caFileEmpty, remedyAddressExample, remedyWriteWS, remedyWriteWSS, remedyNoBlanks,
    remedyNoFragment, remedyNoUser, remedyIPv6Example, remedyBracketIPv6, remedyPortRange, remedyPercent,
    remedyOriginExample, remedyUseWSS, remedyPEM

  // Errors and usage of the program.
  case usageUnknownLanguage, usageError, usageOutOfRange, usageNoNumber, usageNoWholeNumber, usageNoSpeed,
    usageNoEffect, usageSimulatedOnly,
    usageNotOnFile, usageStandsAlone, usageNoCommand, usageValueEmpty, usageNoOrigin, usageInputEmpty,
    usageRateOutOfRange, usageStartTime, usageSpeedNeedsRecording,
    usageSpeedOnNetwork, usageSpeedOnPipe, usagePipeTimeoutOnly, usageUnknownChannel, usageFeedEmpty, usageFileEmpty,
    usageNetworkOnly,
    usageNoTopicPart, usageTwoTokens, usageAddressIsNoFile
  case configUnopened, configNoFile, configIsNone, configControlCharacter, configFault, configNoTOML,
    configStandardChannels, configNoChannel, configNoText,
    configNoTitle, configTopicAndMore,
    configNoTopic, configNoTopicNorKind, configNoSport, configUnknownKey
  case failureOf, failureTooFewFiles, failureFeedUnopened, failureInputClosed, failureOutput, failureRecordsItself,
    failureOutputClosed,
    failureFileExists, failureUnrecordable, standardOutput, noteTokenReadable, noteWaiting, noteConnectedAgain,
    noteRecorded
  case terminalIsNone, terminalUnopened, terminalTypeUnset, terminalTypeUnknown, terminalCursorFixed,
    terminalNoResources, terminalHeadless
  case aboutToteboard, aboutBoard, aboutList, aboutListMore, aboutChanges, aboutChangesMore, aboutRecord,
    aboutRecordMore, aboutInspect, aboutInspectMore, aboutManPage
  case optionFPS, optionThrottle, optionSpeed, optionFeed, optionMatches, optionRate, optionSeed, optionChannel,
    optionRealm, optionOrigin, optionOperator, optionFeedLanguage, optionLanguage, optionCAFile, optionToken,
    optionTokenFile, optionConfig, optionPipeTimeout, optionHeldLimit, optionHeldAge, optionListFormat,
    optionChangesFormat,
    optionInspectFormat, optionFindings, optionInspectFiles, optionRecordFile, optionAppend
  case manualSummary, manualBoard, manualKeys, manualEnvironment, manualFiles, manualStatus, manualToken, manualProxy,
    manualLocale, manualNoColor, manualDirectories, manualConfig, manualCache, manualSuccess, manualFailure,
    manualUsage, manualSignalStatus, manualSignal
  case screenOverview, screenUsage, screenArguments, screenOptions, screenSubcommands, screenDefault, screenValues,
    screenSeeSubcommand,
    screenVersion, screenHelp, screenOfSubcommand, parserUsage, parserSee, parserHelp, parserUnknownOption,
    parserDidYouMean,
    parserMissingValue, parserUnwantedValue, parserInvalidValue, parserChooseFrom, parserUnexpected,
    parserUnexpectedMany, parserMissingArgument
}
