package import AccountModel
package import OddsHistory
package import OddsModel
package import TerminalCore

/// An event that `reduce` applies to the state.
package enum Action: Sendable {
  case channelUpdated(ChannelUpdate)
  /// Another topic, with its full content, replaced the current channel's topic.
  case topicReplaced(ChannelUpdate)
  /// The feed does not serve the other topic requested for the current channel; the channel keeps its topic.
  case topicRefused
  /// A frame was drawn; pages that the visible rows need can be requested.
  case pagesDue
  case keyPressed(Key)
  case mousePressed(MousePress)
  /// The requested match is open: the match as its channel has it, and true if it has a topic of its own.
  case matchOpened(MatchID, known: Match?, hasTopic: Bool)
  /// The open match changed on its own topic.
  case matchUpdated(ChannelUpdate)
  case terminalAnswered(TerminalAnswer)
  case resized(Size)
  /// The address in use of a feed that has several, at every frame.
  case addressChanged(CurrentAddress)
  case playbackMoved(Playback)
  /// The current channel answered a health request.
  case healthReceived(ChannelHealth, requestID: Int)
  /// The configuration changed. Only values that differ from the previous configuration apply.
  case settingsChanged(BoardSettings)
  case channelsChanged([BoardChannel])
  case messageReceived(StatusMessage)
  /// An account to log in to is available.
  case accountFound(canEndSession: Bool)
  case accountChanged(AccountStatus)
  /// The history has read the opening prices of matches that appeared.
  case openingsRead(OpeningBatch)
  /// The history has read the prices of an outcome of the open match.
  case pricesRead(RecordedPrices)
  /// The history has searched for matches. They have no markets, and the newest one is first.
  case historySearched(HistorySearch, Result<[Match], HistoryError>)
  /// The history has read a match as it was last known; nil if it does not have the match.
  case pastMatchRead(MatchID, Result<LastKnownMatch?, HistoryError>)
  /// The history has read the prices that alert rules compare with.
  case alertHistoryRead([AlertHistoryAnswer])
  /// A frame is about to be drawn; changes due by now become visible.
  case frameDue
  case painted(FrameReport)
}

/// The merged changes of a channel since the last update.
package struct ChannelUpdate: Sendable {
  /// New and changed matches.
  package var changed: [Match]
  package var removed: [MatchID]
  /// True if more changes are pending for the next update.
  package var hasMore: Bool
  /// The number of odds updates received since the first subscription to the channel's topic.
  package var oddsUpdates: Int
  /// The number of changes merged into later ones before the board read them, since the channel's topic was opened.
  package var conflated: Int
  package var connection: ConnectionState
  /// False until the first dump has been received.
  package var isLoaded: Bool
  /// The freshness of the channel's prices, unchanged ones included.
  package var freshness: Freshness
  /// The time of the last sign of life of a connection whose prices are delayed, in milliseconds since 1970.
  package var lastSign: Int64?
  package var topic: TopicState
  package var source: DataSource
  /// The reason why the REST interface did not answer.
  package var apiProblem: FeedError?

  package init(
    changed: [Match] = [], removed: [MatchID] = [], oddsUpdates: Int = 0, conflated: Int = 0,
    connection: ConnectionState = .live, isLoaded: Bool = true, freshness: Freshness, lastSign: Int64? = nil,
    topic: TopicState = .live, source: DataSource = .stream, apiProblem: FeedError? = nil, hasMore: Bool = false
  ) {
    self.hasMore = hasMore
    self.topic = topic
    self.source = source
    self.apiProblem = apiProblem
    self.changed = changed
    self.removed = removed
    self.oddsUpdates = oddsUpdates
    self.conflated = conflated
    self.connection = connection
    self.isLoaded = isLoaded
    self.freshness = freshness
    self.lastSign = lastSign
  }
}

/// The measurements of one drawn frame.
package struct FrameReport: Hashable, Sendable {
  var bytes = 0
  var rows = 0
  /// The number of prices sent to the terminal again.
  var changes = 0
  var duration = Duration.zero
  /// True if no match row was drawn, only the bars around them. Such a frame is not counted: otherwise the counters
  /// would count their own redraws and never come to rest.
  var isStatusOnly = false
}

/// A side effect that `reduce` requests.
package enum Effect: Hashable, Sendable {
  /// Opens a channel's topic and closes the current channel.
  case openChannel(Topic)
  /// Opens another topic of the current channel. The current topic stays open until the new one has its dump.
  case openTopic(Topic)
  /// Opens a match of a channel on its own topic, if it has one, and closes the match that is open.
  case openMatch(MatchID, of: Topic)
  case closeMatch
  /// Reads the recorded prices of an outcome of the open match.
  case readPrices(PriceRequest)
  /// Searches the history for matches.
  case searchHistory(HistorySearch)
  /// Reads a match of the history as it was last known.
  case readPastMatch(MatchID)
  /// Reads the recorded prices that alert rules compare with.
  case readAlertHistory([AlertHistoryRequest])
  /// Reconnects to the feed at once, and retries the account.
  case reconnect
  /// Sets the pace of the simulated feed, in odds updates per second.
  case setRate(Double)
  case togglePause
  /// Jumps in the recording by a step of its own time.
  case seek(Duration)
  /// Jumps to a position in the recording, in its own time.
  case seekTo(Duration)
  /// Requests the current channel's health. The answer carries the request's number.
  case requestHealth(id: Int)
  case logIn(user: String, password: Secret)
  /// Ends the session, or the login in progress.
  case logOut
  /// Continues without an account.
  case goHome
  /// Makes the server end the session.
  case endSession
  /// Replaces the feed's connection: it presented a session that is no longer the account's.
  case reauthenticate
  case terminal(TerminalRequest)
  /// Writes the screen to a file at a path.
  case write(path: String)
  case show(StatusMessage)
  /// Hands alerts to the log and to other programs.
  case deliver([AlertReport])
  case quit
}
