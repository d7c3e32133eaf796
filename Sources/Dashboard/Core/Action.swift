package import AccountModel
package import OddsFeed
package import TerminalCore

/// What happened, told to `reduce`.
package enum Action: Sendable {
  /// The current channel has changed.
  case channelUpdated(ChannelUpdate)
  /// Another topic of the current channel, with all that it has, has taken the place of the one before.
  case topicReplaced(ChannelUpdate)
  /// The feed does not serve another topic that the current channel asked for; it keeps the one it has.
  case topicRefused
  /// A frame was drawn: pages that what is shown depends on may be asked for.
  case pagesDue
  /// A key was pressed.
  case keyPressed(Key)
  /// A button of the mouse was pressed.
  case mousePressed(MousePress)
  /// The match that was to be opened: what its channel has of it, and whether it has a topic of its own.
  case matchOpened(MatchID, known: Match?, hasTopic: Bool)
  /// The open match has changed on its own topic.
  case matchUpdated(ChannelUpdate)
  /// The terminal has told what it is like.
  case answered(TerminalAnswer)
  /// The terminal has another size.
  case resized(Size)
  /// A recording is being played, and its play stands so.
  case playbackMoved(Playback)
  /// The current channel answered how it does.
  case healthTold(ChannelHealth, question: Int)
  /// The configuration is another: what differs in it from the one before.
  case settingsChanged(BoardSettings)
  /// The configuration has other channels.
  case channelsChanged([BoardChannel])
  /// Something is to be said.
  case told(StatusMessage)
  /// There is an account to log in to.
  case accountFound(canEndSession: Bool)
  /// The account does otherwise than before.
  case accountChanged(AccountStatus)
  /// A frame is about to be drawn: what is due by now becomes visible.
  case frameDue
  /// A frame was drawn.
  case painted(FrameReport)
}

/// What changed in the channel since the last update, merged.
package struct ChannelUpdate: Sendable {
  /// Matches that are new or other than before.
  package var changed: [Match]
  /// Matches that are gone.
  package var removed: [MatchID]
  /// More has changed, and was left for the next time.
  package var hasMore: Bool
  /// Odds updates received since the channel was opened.
  package var oddsUpdates: Int
  /// Changes merged into later ones before the board asked, since the channel was opened.
  package var conflated: Int
  /// How the line is.
  package var connection: ConnectionState
  /// False until the first dump is in.
  package var isLoaded: Bool
  /// How far the channel's prices can be trusted, those that did not change too.
  package var staleness: Freshness
  /// When a line whose prices are delayed last gave a sign of life, in milliseconds since 1970.
  package var lastSign: Int64?
  /// How the feed answers for the channel's topic.
  package var topic: TopicState
  /// Where what the channel shows comes from.
  package var source: DataSource
  /// Why the REST interface did not answer.
  package var apiProblem: FeedError?

  /// An update of a channel.
  package init(
    changed: [Match] = [], removed: [MatchID] = [], oddsUpdates: Int = 0, conflated: Int = 0,
    connection: ConnectionState = .live, isLoaded: Bool = true, staleness: Freshness, lastSign: Int64? = nil,
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
    self.staleness = staleness
    self.lastSign = lastSign
  }
}

/// What drawing one frame came to.
package struct FrameReport: Hashable, Sendable {
  var bytes = 0
  var rows = 0
  /// Prices that the terminal was sent anew.
  var changes = 0
  var duration = Duration.zero
  /// True where no row of a match was drawn, only the bars around them: such a frame is not counted, or the counters
  /// would count themselves and never rest.
  var isStatusOnly = false
}

/// What `reduce` asks the world to do.
package enum Effect: Hashable, Sendable {
  /// Open the channel at that place and give the old one up.
  case openChannel(Int)
  /// Open another topic of the current channel beside the one that is open, until it has its dump.
  case openTopic(Topic)
  /// Open a match on a topic of its own, if there is one, and give up the one that is open.
  case openMatch(MatchID)
  /// Give up the match that is open.
  case closeMatch
  /// Try to reach the feed at once, and the account's side of it.
  case reconnect
  /// Pace the simulated feed: odds updates a second.
  case setRate(Double)
  /// Pause the recording, or go on playing it.
  case togglePause
  /// Jump in the recording, by its own time.
  case seek(Duration)
  /// Ask the current channel how it does; the answer is told with the question's number.
  case askForHealth(question: Int)
  /// Ask the account's server to let somebody in.
  case logIn(user: String, password: Secret)
  /// End the session, or what is about to become one.
  case logOut
  /// Go on without an account.
  case goHome
  /// Have the server end the session.
  case endSession
  /// Drop the feed's line and have another: the session that it showed is not the account's any more.
  case renewLine
  /// Ask something of the terminal.
  case terminal(TerminalRequest)
  /// Write the screen to a file of that path.
  case write(path: String)
  /// Leave.
  case quit
}
