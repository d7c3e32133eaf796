/// The key of a message of the program. The name of the case is the key in each language's file.
package enum MessageKey: String, CaseIterable, Sendable {
  /// A text that is the same in every language.
  case verbatim

  // Bars and rows of the board.
  case boardNoMatches, boardWaitingForDump, boardWaitingForLine, boardMaintenance, boardNotAnswered, boardProblem,
    joinedSentences
  case joinedClauses, joinedWords, listedWords

  // Column titles and cells.
  case columnTime, columnScore, columnMatch, columnHome, columnDraw, columnAway, columnLay, columnMargin, columnAge
  case columnMinute, columnFavourite, columnMatched, columnLayOf, columnSizeOf
  case columnPart, columnTournament, columnCountry, columnSport, rowEnded, rowLive, rowSuspended
  case dayMonday, dayTuesday, dayWednesday, dayThursday, dayFriday, daySaturday, daySunday
  case ageSeconds, ageMinutes, ageHours, ageDays

  case noteOdds, oddsDecimal, oddsFractional, oddsAmerican, oddsHongKong, oddsMalay, oddsIndonesian, oddsImplied
  // Connection state and freshness of prices.
  case statusSourceStale, statusDelayedAccess, statusUpdatesMerged, statusCatalogueStale
  case statusLive, statusDelayed, statusSilent, statusLocked, statusSuspended, statusClosed, statusPolling
  case statusCached, statusAgo, statusConnecting, statusAttempt, statusHandshaking, statusRecovering, statusLoading
  case statusWaiting, statusWaitingFor, statusMaintenance, statusAgainIn, statusNoAnswer, statusTopicError
  case statusRefused, statusFailed, statusOffline, statusEnded, playbackPaused, playbackMax, playbackTimes

  // Counters, hints and modes.
  case counterFrames, counterUpdates, counterChanges, counterConflated, counterBytes, counterFrameTime, perSecond
  case hintChannel, hintPause, hintPlay, hintJump, hintThrottleOff, hintThrottle, hintReconnect, hintFreeze, hintDamage
  case hintWhole, hintInspect, hintHelp, hintQuit, modeFrozen, modeDamage, modeWholeScreen, modeFrozenCount
  case modeFrozenMark, modeDamageMark, modeWholeMark

  // The table of keys.
  case keySpace, keyEscape, helpChannel, helpNextChannel, helpPause, helpJump, helpRow, helpPage, helpFirst
  case helpThrottle, helpRate, helpReconnect, helpFreeze, helpDamage, helpWhole, helpInspect, helpHelp, helpClose
  case helpQuit, helpOpen, helpPin, helpWatch, helpFind, helpFound, helpShowAll, helpCommand, helpSort,
    helpChooseColumns, helpMoveColumn, helpOdds
  case helpAlert, helpAlerts, helpWrite, helpCopy, helpTheme, helpMouse, helpCounters, helpDeleteAlert
  // Sorting, pins and pages of the list.
  case noteSorted, noteSortedReversed, orderTime, orderName, orderChange, orderMover, orderMargin, orderFavourite
  case orderHome, orderDraw, orderAway, orderColumn, columnMove, channelWatch, boardNothingPinned, noteNoWatch,
    noteTooManyPins
  case listLoaded
  case columnsUnknown, commandHelpKey, columnsWidth, columnsTwice, columnsNoName
  case columnsNameStays, columnsAutomatic, columnsNoRoom, modeHiddenColumns, modeHiddenMark
  case hintSwitch, hintMove, commandColumns, settingColumns, optionColumns, usageColumns
  // Watch lists, groups and fair prices of the list.
  case commandRename, commandDelete, commandPrune, commandHelpList, boardNothingServed, modeUnserved
  case modeUnservedMark, noteListNew, notePinnedIn, noteUnpinnedFrom, noteListRenamed, noteListDeleted, notePruned
  case notePrunedKept, noteKeptUnpriced, boardNothingPriced
  case listUnknown, listExists, listTooLong, listTooMany, listFirst, listNotOpen, commandGroup, helpGroup, helpFold
  case noteGroupTournament, noteGroupSport, noteGroupOff, noteNoGroups, groupOther, groupCount, groupLive
  case settingGroup, symbolGroup, symbolGroupChanged, columnHelpFairPrices
  // Finding rows, and the command line.
  case findCount, findCountLoading, findCountFirst, findHidden, findNothing, findNoMatch, findNoMatchYet,
    findNoMatchOfFirst,
    findFromEnd, findFromStart, queryUnfinished, queryClosed
  case queryOpen, queryTooDeep, queryNoField, queryUnknownField, queryOtherComparison, queryNoValue, helpRules
  case helpRulePrice, helpRuleOutcome, helpRuleMove, helpRuleEvent, queryOtherValue, helpCommands, helpFilters
  case helpWords, helpText, fieldOdds, fieldFavourite, fieldColumnPrice, fieldMargin, fieldMove
  case fieldMinute, fieldScore, fieldTotal, fieldLead, fieldStart, fieldName, fieldTournament, fieldCountry, fieldPart
  case fieldSport, flagLive, flagPending, flagEnded, flagSuspended, flagPinned, commandAlert, commandChannel
  case commandFilter, commandLowBandwidth, commandMouse, commandOdds, commandInspect, commandOpen, commandWatch
  case commandWrite, manualCommands, manualFilters, manualAlerts, commandPin, commandRate, commandSort, commandTheme
  case commandThrottle, commandUnknown, commandAmbiguous, commandNoArgument, commandNoMore, commandOtherArgument
  case commandNoRate, commandRange, commandHistory
  // The help besides its keys, and its search.
  case helpSymbols, helpColumns, helpDetailColumns, helpCounterRows, symbolMoved, symbolDoubt, symbolSuspended
  case symbolClosed, symbolLastTraded, symbolOver, symbolPinned, symbolAlert, symbolServing, symbolRedCard
  case symbolChosen, symbolSuspendedTime
  case symbolLive, symbolEnded, symbolPlayback, symbolUnknown, symbolUnloaded, symbolMore, columnHelpTime
  case columnHelpMinute, columnHelpRecentMove, columnHelpScore, columnHelpMatched, columnHelpLay, columnHelpBackSize,
    columnHelpLaySize
  case columnHelpSport, columnHelpMatch, columnHelpPrices, columnHelpMargin, columnHelpMove, columnHelpAge,
    columnHelpTrend
  case columnHelpPart, columnHelpOutcome, columnHelpPrice, columnHelpOpen, columnHelpSpan, columnHelpChance
  case counterHelpFrames, counterHelpUpdates, counterHelpChanges, counterHelpConflated, counterHelpBytes
  case counterHelpFrameTime, counterHelpLarge, counterHelpLoaded, counterHelpFound, counterHelpFrozen
  case counterHelpDamage, counterHelpWhole, counterHelpAlerts, commandHelpNotation, commandHelpPrefix, commandHelpTime
  case commandHelpTab, commandHelpHistory, filterHelpNumber, filterHelpContains, filterHelpAnd, filterHelpOr
  case filterHelpNot, filterHelpGroup, filterHelpQuotes, filterHelpUnits, filterHelpNumbers, ruleHelpComparisons
  case ruleHelpScore, ruleHelpKickoff, ruleHelpWords, ruleHelpMatch, ruleHelpOnce, ruleHelpAgain, ruleHelpAgainBy
  case ruleHelpUnits, ruleHelpSeveral, searchCount, searchNone, searchFromStart, searchFromEnd, notePinned
  case noteUnpinned
  // The pane of a single match.
  case detailHelpOther, detailGone, detailLoading, detailChannelOnly, detailStarted, detailMargin
  case detailFromHistory
  case ladderLastTraded, ladderMatched
  case detailColumnOutcome, detailColumnPrice, detailColumnOpen, detailColumnSpan, detailColumnChance, detailColumnTrend
  case chartHelpCursor, chartHelpFrame, chartNone, chartNow, chartAll, chartOpening, chartClosing, chartLast
  // Fair prices.
  case columnFair, columnHelpFair, helpFairProportional, helpFairPower, commandFair, settingFair
  // The bet calculator.
  case calculatorBack, calculatorLay, calculatorLayLiability, calculatorDutch, calculatorKelly, calculatorReturn
  case calculatorProfit, calculatorLiability, calculatorStake, calculatorNoStake, calculatorChance, calculatorFairChance
  case calculatorFraction, calculatorDown, calculatorUp, calculatorStakeDown, calculatorLiabilityUp
  case calculatorReturnDown, calculatorNoBet, calculatorUncertain, calculatorNoPrice
  case calculatorNoMark, calculatorNoFairPrice, calculatorDecimals, calculatorNoRoom, calculatorNoMatch
  case calculatorMarksMoved, calculatorNoAmount, calculatorNoChance, calculatorNoEffect, columnStake, columnHelpStake
  case symbolMarked, commandCalculate, helpCalculate, helpMark, hintCalculate, helpCalculateBack, helpCalculateLay
  case helpCalculateLiability, helpCalculateDutch, helpCalculateKelly, settingKellyFraction, configNoFraction
  // Positions in a recording.
  case commandSeek, commandHelpPosition, symbolProgress, seekNoRecording, seekBeyondEnd
  // The menu of texts to copy.
  case copyTitle, copyMatch, copyMarket, copyOutcome, copyOdds, copyName, copyLink, copyNoOdds, copyNoLink
  case copyNoOutcome, commandCopy, hintCopy, settingLink, configNoLink, configLinkName
  // Screen, mouse and themes.
  case titleBoard, titleError, noteTheme, noteMouseOn, noteMouseOff, noteCopied, noteNoRow, themeUnknownPart
  case themeUnknownWord, optionNoMouse, optionLowBandwidth
  // Key names, settings and the configuration file.
  case keyEnter, keyBackTab, keyUp, keyDown, keyLeft, keyRight, keyPageUp, keyPageDown, keyHome, keyEnd, helpMoving
  case helpFinding, helpPrices, helpPanes, helpSession, helpFeed, helpHalfPage, helpSpace, hintFind, hintCommand
  case hintSort, hintPin, hintOdds, hintAlert, hintOpen, hintWrite, hintTheme, hintClose, hintOtherMatch, hintSearch
  case hintScroll, hintSelect, hintShow, hintDelete, hintAlerts, hintCounters, hintRun, hintApply, hintComplete,
    hintNext
  case keysUnknownCommand, keysUnknownKey
  case keysTwice, keysNoQuit, settingTheme, settingOdds, settingSort, settingReverse, settingMouse, settingLowBandwidth
  case settingZone, settingAlertBell, settingAlertNotify
  case optionFilter, usageNoFilter, optionFresh, optionPrintDefault, optionCheck, optionPath, optionCheckFile,
    aboutConfig, aboutConfigMore
  case usageCheckOnly
  case configNoFlag, configNoChoice, configNoInterval, configNoZone, configNoSpeed, configNoTime, configNoList,
    configNoTable
  case configNoKeyTable, configNoKey, configNoThemeTable, configNoRule
  case configIntroduction, configBoard, configFeed, configNetwork, configChannels, configAlerts, configThemes,
    configKeys
  case configMissing, configValid, configReloaded, configTakenLater, screenExists, screenUnwritten, screenWritten
  case sessionUnread, sessionDamaged, manualConfiguration, manualSettings, manualKeyNames, manualSentence, manualBoards
  // Alerts and plain output.
  case alertTooMuch, alertUnclosed, alertNoMatch, alertNoPick, alertNoEvent, alertNoComparison, alertNoSpan
  case alertNoExtremeSpan
  case alertNoMarket, alertNoOutcome, alertNoPrice, alertNoPercent, alertNoTime, alertRules, alertNoRules
  case alertsNone, alertKeys, alertAllMatches, alertTimes, alertArmed, alertWaiting, alertDone, alertSilenced
  case alertArmedAgain, alertUnseen, alertAdded, alertDuplicate, alertTooMany, alertDeleted, alertUnmuted, alertMuted
  case alertMatchElsewhere, alertOutcome, alertOutcomeResumed, alertTitle, alertHint, alertMany, alertOfMatch
  case alertPrice, alertUp, alertDown, alertKickOffAt, outcomeHome, outcomeDraw, outcomeAway, outcomeFavourite
  case changeSuspended, changeResumed, changeKickOff, changeGoal, changeScore, plainMatches, plainStatement, plainMatch
  case plainMore, plainNew, plainGone, plainEnded, plainEndedAt, plainWithdrawn, plainPrice, plainPriceUp
  case plainPriceDown, plainPriceHeld, plainPriceWithdrawn, plainAlert, plainMoreAlerts, plainBack, plainLate, plainLost
  case plainSilent, plainMaintenance, plainUnanswered, plainRetrying, plainFailed, plainEnd, optionPlain

  // The history.
  case historyMissing, historyNewer, historyBusy, historyDropped, historyUnwritten, historyLocked, historyDamaged
  case historyNoHome
  case aboutHistory, aboutHistoryMore, aboutChart, aboutChartMore, aboutImport, aboutImportMore
  case optionHistoryFilter, optionSince, optionHistoryFormat, optionSummary, optionChartMatch, optionChartMarket
  case optionChartOutcome, optionChartOutput, optionImportFile, optionImportAs, optionNoHistory, settingHistory
  case settingHistoryDays, settingHistorySize, historyNoMatch, historyManyMatches, historyNoMarket
  case historyNoOutcome, historyNoPrices, historyNoFilter, historyNoField, configNoSize, usageNoAge, noteImported
  case historyNoPriceField, historyOff, historyOfRecording, historySearching, historyListed, historyListedFirst
  case historyNoneBegun, historyNoneFound, historyUnread, historyNotLive
  case importNoTimes, noteImportedOld, noteImportedLarge, noteLastTraded, historyLastTraded, manualHistory
  // The log of alerts.
  case aboutAlerts, aboutAlertsMore, alertLogUnwritten, alertLogNoHome, alertLogEmpty, alertLogNoneSince
  case alertLogDamaged, manualAlertLog
  // The command of alerts.
  case settingAlertCommand, manualList, configNoTexts, configCommandEmpty, configCommandProgram, configCommandScript
  case configCommandName, commandDropped, commandUnstarted, commandOutput, commandStatus, commandSignal, commandLate
  // The webhook of alerts.
  case settingAlertWebhook, addressWebhook, addressWebhookUnencrypted, remedyWebhookAddress, webhookAnswer
  case webhookRedirect, webhookUnsent, webhookDropped, alertsTriggered
  // Conditions of alerts.
  case ruleNoField, ruleHelpCondition, ruleHelpEvery, ruleHelpOpening, ruleHelpLowest, alertUpFromOpening
  case alertDownFromOpening, alertLowest, alertHighest, optionFollow, followDropped
  case followNoRules, followUnseen, logDropped

  // The inspector.
  case inspectorLines, inspectorPrices, inspectorReceived, inspectorChannel, inspectorRecords, inspectorOutOfOrder
  case figureState, figureSince, figureSource, figureTopic, figureLagMedian, figureLagMost, figureMessages
  case figureOddsUpdates, figureApplied, figureIgnored, figureDumps, figureMemory, figureConflated, figureReaders
  case figureObservers, figureSports, figureMatches, figureMarkets, figureOutcomes, figureRelations, figureOffers
  case figureMainMarkets, figureEventInfos, figureOthers, figureDeferred, figureWaiting, figureExpired, figureDuplicates
  case figureUnparsable, figureRejected, figureOddsAboveLimit, figureUnreadableStatuses, figureTimesOutOfRange
  case figureNestedTooDeep, figureUnknownMessages, figureMalformedMessages, figureByteOrderMarks, figureAudits
  case figureDivergences, figureMerged, unitMilliseconds, unitKilobytes, unitMegabytes, sourceNone, sourceCache
  case sourceREST, sourceStream, topicRequested, topicLate

  // Channels and feeds.
  case channelLive, channelFootball, channelTennis, channelBasketball, channelNext, channelPopular, channelFeed
  case channelOfSport, feedSimulated
  case channelInPlay, channelHorseRacing
  case channelToday, channelNFL, channelNBA, channelMLB, channelNHL, channelPremierLeague

  // The account.
  case accountLoggedOut, accountSessionEnded, accountEndExpired, accountEndKicked, accountEndTerminated
  case accountEndOther, accountEndRefused, accountGoHome, accountGoHomeKey, accountLogin, accountLoginKey, accountStay
  case accountStayKey, accountLogOut, accountLogOutKey, accountLogOutTitle, accountLogOutQuestion, accountFormTitle
  case accountFormUser, accountFormPassword, accountFormBusy, accountHintOther, accountHintChoose, accountHintField
  case accountHintClear, accountHintCancel, accountHintPane, accountHintLogIn, accountHintLogOut, accountHintEnd
  case accountKeyPane, accountKeyLogin, accountKeyEnd, accountHeading, accountUser, accountSession, accountUpdates
  case accountAsOf, accountNow, accountDay, accountBalance, accountReal, accountBonus, accountTotal, accountPostings
  case accountNoPostings, accountTime, accountOperation, accountAfter, accountDebit, accountCredit, accountReserve
  case accountRelease, accountStateOut, accountStateLoggingIn, accountStateRefused, accountStateIn, accountStateEnded
  case accountStreamClosed, accountStreamConnecting, accountStreamLive, accountStreamWaiting, accountStreamDue
  case accountStreamFailed, accountHowIn, accountHowOut, accountHowEnd, accountNone, accountFormDemo, optionLogin
  case optionPasswordFD, optionStayLoggedIn, optionDemoAccount, usagePasswordArgument, usageLoginOnly, usageLoginEmpty
  case usageLoginWithPassword, usageLoginUnfit, usageLoginOnSimulated, usageLoginOnFile, passwordPrompt, passwordUnfit
  case passwordTerminalUnread, failureNoPassword, failurePasswordUnread, failurePasswordUnfit, failureNoHome
  case manualPassword, manualSessions
  case accountStreamEnded, accountStreamGivenUp, accountOddAnswer, accountSessionRefused, accountNotThere
  case accountCannotNow, accountWrongPassword, accountTooManyLogins, accountUnencrypted, accountNoEventStream
  case accountCheckAddress, accountLogInAgain, accountCheckPassword, accountWait, accountWaitAWhile
  case accountStreamSilent, accountStreamBrokeOff, accountNotPrivate, accountMakePrivate, accountNotKept
  case accountLookAtDisk, accountNoObject, accountNoField, fileIsNone, fileTooLarge, fileCutShort, fileNotPrivate

  // Problems of a feed and their remedies.
  case problemAndRemedy, quotedServerText, problemReason, problemSaid
  case tokenEmpty, tokenUnfit, tokenFromFile, tokenFromElsewhere, tokenUnencrypted, tokenFileUnopened,
    tokenFileUnreadable, tokenFileTooLong, tokenFileNoText, remedyTokenOrNone, remedyTokenAlone, remedyTokenFile
  case sessionUnanswered, sessionSilent, sessionBreaksProtocol, violationNoWelcome, violationSecondWelcome,
    violationNotOfServer, sessionEnded, sessionNoRealm, sessionRefused, topicRefused, topicInMaintenance,
    topicUnanswered, topicFailed, topicNoDump, remedyWait, remedyWaitOrNetwork, remedyWaitOrAddress,
    remedyWaitOrNetworkAndAddress, remedyOtherRealm, remedyValidTokenThenConnect, remedyOtherChannel,
    remedyComeBackLater, remedyCheckTopic
  case addressPolymarket, remedyPolymarketAddress, usageNoEffectOnFeed
  case polymarketUnreadable, polymarketNoTopic, polymarketNoList, polymarketNoLeague, remedyPolymarketTopic,
    remedyPolymarketLeague
  case addressBetfair, remedyBetfairAddress, betfairNoIdentity, remedyBetfairIdentity, addressWebService,
    remedyWebServiceAddress
  case betfairWrongPassword, remedyBetfairLoginAgain, betfairCertificateRefused, remedyBetfairCertificate,
    betfairSessionRefused, betfairLoginBanned, betfairUnavailable, betfairKeyRefused, remedyBetfairKey,
    betfairLoginRefused, remedyBetfairSite, betfairLoginStatus, betfairNoLoginAnswer, remedyBetfairLoginAddress
  case betfairNoNames, betfairUnreadable, betfairTooManyMarkets, remedyBetfairFewerMarkets, betfairNoMarketList,
    betfairTooManyConnections, remedyBetfairConnections, betfairRequestRefused, betfairNoTopic, remedyBetfairTopic
  case clientFileUnreadable, clientCertificateEmpty, clientKeyUnfit, clientKeyOfOther, remedyClientCertificate,
    remedyClientKey
  case appKeyUnreadable, appKeyUnfit, remedyAppKeyFile, noteAppKeyReadable
  case usageOnBetfairOnly, usageBetfairNeeds, usageClientPair, usageLoginCommand
  case feedUnreadable, feedWithoutMessages, recordingCutShort, recordingOverwritten, recordingDamaged,
    recordingExpands, recordingTooManyTopics, recordingUnwritable, recordingStopped, simulatorGone, remedyReadableFeed,
    remedyGiveFeed, remedyPlayAgain, remedyStartAgain
  case namedFeed, namedREST, namedLogin, quotedWords, namedProxy, namedProxyTo, unnamedProxy, endedSilently, nowhere
  case connectCancelled, dialTimedOut, dialNameUnknown, dialUnreachable, dialBrokeOff, dialNoWebSocket,
    dialChoseNoProtocol, dialUnofferedExtension, dialUnofferedProtocol, proxyWantsUser, proxyLeadsElsewhere,
    proxyOfOtherKind, proxyIsNone, dialChoseProtocol,
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
  case lineClosedFromHere, lineClosed, lineClosedWithCode, lineEndedSilently, lineBrokeOff, connectionNotWritable,
    lineMessageTooLong, lineFrameTooLong, lineNoFrame, lineNoUTF8, lineSentBinary, lineSentBadClose, lineSentMasked,
    lineSentUnexpected
  case addressNoURL, addressNoWebSocket, addressOtherScheme, addressBlanks, addressFragment, addressUser,
    addressOpenBracket, addressNoHost, addressNoIPv6, addressColons, addressPort, addressPath, addressListEmptyEntry,
    addressListTooLong, addressListMixed, addressListDuplicate, originIsNone,
    caFileUnreadable, caFileEmpty, remedyAddressExample, remedyWriteWS, remedyWriteWSS, remedyNoBlanks,
    remedyNoFragment, remedyNoUser, remedyIPv6Example, remedyBracketIPv6, remedyPortRange, remedyPercent,
    remedyNoEmptyEntry, remedyFewerAddresses, remedyAddressesOnly, remedyNameOnce,
    remedyOriginExample, remedyUseWSS, remedyPEM

  // Errors and usage of the program.
  case usageUnknownLanguage, usageError, usageOutOfRange, usageNoNumber, usageNoWholeNumber, usageNoSpeed,
    usageNoEffect, usageSimulatedOnly, usageNotOnFile, usageStandsAlone, usageNoCommand, usageValueEmpty, usageNoOrigin,
    usageInputEmpty, usageRateOutOfRange, usageStartTime, usageSpeedNeedsRecording, usageSpeedOnNetwork,
    usageSpeedOnPipe, usagePipeTimeoutOnly, usageUnknownChannel, usageFeedEmpty, usageFileEmpty, usageNetworkOnly,
    usageNoTopicPart, usageTwoFeeds, usageTwoTokens, usageAddressIsNoFile
  case configUnopened, configNoFile, configIsNone, configControlCharacter, configFault, configNoTOML,
    configStandardChannels, configNoChannel, configNoText, configNoTitle, configTopicAndMore, configNoTopic,
    configNoTopicNorKind, configNoSport, configUnknownKey
  case failureOf, failureTooFewFiles, failureFeedUnopened, failureInputClosed, failureFeedIsTerminal, failureOutput,
    failureRecordsItself, failureOutputClosed, failureFileExists, failureUnrecordable, standardOutput,
    noteTokenReadable, noteWaiting, noteConnectedAgain, notePricesLate, noteEndsEarly, noteRecorded
  case terminalIsNone, terminalUnopened, terminalTypeUnset, terminalTypeUnknown, terminalCursorFixed,
    terminalNoResources, terminalHeadless
  case aboutToteboard, aboutBoard, aboutList, aboutListMore, aboutChanges, aboutChangesMore, aboutRecord,
    aboutRecordMore, aboutInspect, aboutInspectMore, aboutManPage
  case optionFPS, optionThrottle, optionSpeed, optionFeed, optionMatches, optionRate, optionSeed, optionChannel,
    optionRealm, optionOrigin, optionOperator, optionFeedLanguage, optionLanguage, optionCAFile, optionToken,
    optionTokenFile, optionBetfairAppKeyFile, optionBetfairIdentity, optionBetfairKeepAlive, optionBetfairAPI,
    optionBetfairConflateMs, optionClientCert, optionClientKey, optionConfig, optionPipeTimeout, optionPendingLimit,
    optionPendingTimeout, optionListFormat,
    optionChangesFormat, optionInspectFormat, optionFindings, optionInspectFiles, optionRecordFile, optionAppend
  case manualSummary, manualSynopsis, manualOptions, manualSubcommands, manualSharedOptions, manualExamples,
    manualExampleThrottle, manualExampleFilter, manualExampleList, manualExampleRecord, manualExamplePlay,
    manualExampleHistory, manualExampleFollow, manualKeys, manualEnvironment, manualFiles, manualStatus, manualToken,
    manualProxy, manualLocale, manualNoColor, manualTerm, manualColorTerm, manualColumns, manualTerminalName,
    manualTemporary, manualDirectories, manualConfig, manualCache, manualSuccess, manualFailure, manualUsage,
    manualSignalStatus, manualSignal
  // The manual page of the configuration.
  case optionManPage, manualSeeAlso, manualServerSummary, manualConfigSummary, manualDescription, manualConfigAbout,
    manualExample, manualChannels, manualThemes, manualSettingDefault, manualSettingExample, manualTableSetting,
    manualText, manualTextOrList, manualFlag,
    manualCount, manualNumber, manualKeyNameList, manualColors, channelSettingTitle, channelSettingTopic,
    channelSettingKind, channelSettingSport, channelSettingMatches, channelSettingMarkets, channelSettingLevels,
    channelSettingVolumes, alertSettingRule,
    themeBase, themePlain, themeMuted, themeStrong, themeBar, themeTab, themeRising, themeFalling, themeWarning,
    themeFound, themeChart, themeSelected, themeDamaged
  case screenOverview, screenUsage, screenArguments, screenOptions, screenSubcommands, screenDefault, screenValues,
    screenSeeSubcommand, screenVersion, screenHelp, screenOfSubcommand, parserUsage, parserSee, parserHelp,
    parserUnknownOption, parserDidYouMean, parserMissingValue, parserUnwantedValue, parserInvalidValue,
    parserChooseFrom, parserUnexpected, parserUnexpectedMany, parserMissingArgument
}
