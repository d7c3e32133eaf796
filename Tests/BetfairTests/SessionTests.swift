import Testing

@testable import Betfair

struct SessionTests {
  var session: MarketStreamSession

  init() {
    var subscription = MarketSubscription()
    subscription.eventTypes = ["1"]
    subscription.marketTypes = ["MATCH_ODDS"]
    subscription.turnsInPlay = true
    subscription.heartbeat = 5000
    session = MarketStreamSession(appKey: "KEY", subscription: subscription)
  }

  mutating func receive(_ line: String, at second: Int = 0) -> [MarketStreamSession.Action] {
    Array(line.utf8).withUnsafeBufferPointer { session.receive($0, at: .seconds(second)) }
  }

  func sent(_ actions: [MarketStreamSession.Action]) -> String {
    guard case .send(let bytes)? = actions.first, actions.count == 1 else { return "\(actions)" }
    return String(decoding: bytes, as: UTF8.self)
  }

  func success(_ id: Int) -> String { #"{"op":"status","id":\#(id),"statusCode":"SUCCESS"}"# }

  /// Opens a connection up to its first message. Returns the subscription request.
  mutating func open(firstID: Int = 1) -> String {
    session.connected(token: "TOKEN", at: .zero)
    _ = receive(#"{"op":"connection","connectionId":"1"}"#)
    let request = sent(receive(success(firstID)))
    _ = receive(success(firstID + 1))
    return request
  }

  @Test("A connection authenticates after the greeting, subscribes, and then decodes messages")
  mutating func conversation() {
    session.connected(token: "TOKEN", at: .zero)
    #expect(
      sent(receive(#"{"op":"connection","connectionId":"1"}"#))
        == #"{"op":"authentication","id":1,"appKey":"KEY","session":"TOKEN"}"#)
    let request =
      #"{"op":"marketSubscription","id":2,"segmentationEnabled":true,"heartbeatMs":5000,"marketFilter":{"#
      + #""eventTypeIds":["1"],"marketTypes":["MATCH_ODDS"],"turnInPlayEnabled":true},"marketDataFilter":"#
      + #"{"ladderLevels":3,"fields":["EX_BEST_OFFERS_DISP","EX_LTP","EX_TRADED_VOL","EX_MARKET_DEF"]}}"#
    #expect(sent(receive(success(1))) == request)
    #expect(receive(success(2)) == [.subscribed(isContinued: false)])
    #expect(receive(#"{"op":"mcm","id":2,"ct":"HEARTBEAT"}"#) == [.decode])
    #expect(receive(#"{"op":"mcm","id":1}"#) == [] && receive("no JSON") == [.decode, .close(.unreadable)])
  }

  @Test("The next connection continues at the position of the last whole message")
  mutating func position() {
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","segmentType":"SEG_START"}"#)
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","initialClk":"I","clk":"A","segmentType":"SEG_END"}"#)
    _ = receive(#"{"op":"mcm","id":2,"clk":"B"}"#)
    _ = receive(#"{"op":"mcm","id":2,"clk":"C","segmentType":"SEG_START"}"#)
    _ = receive(#"{"op":"mcm","id":2,"clk":"D","segmentType":"SEG"}"#)
    _ = receive(#"{"op":"mcm","id":2,"clk":"E","ct":"HEARTBEAT"}"#)
    #expect(session.position == StreamPosition(initialClock: "I", clock: "B"))
    session.disconnected()
    #expect(session.nextDeadline == nil)
    #expect(open(firstID: 3).contains(#""id":4,"segmentationEnabled":true,"initialClk":"I","clk":"B","#))
    #expect(
      receive(#"{"op":"status","id":4,"statusCode":"FAILURE","errorCode":"INVALID_CLOCK","errorMessage":"old"}"#)
        == [.close(.refused(.invalidClock, "old"))])
    #expect(session.position == nil && !open(firstID: 5).contains("clk"))
  }

  @Test("After a connection that ends within an image, the next one begins with an image")
  mutating func cutImage() {
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","initialClk":"I","clk":"A"}"#)
    #expect(session.position != nil)
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","segmentType":"SEG_START"}"#)
    #expect(session.position == nil)
    session.disconnected()
    #expect(!open(firstID: 3).contains("clk"))
  }

  @Test(
    "A message with a missing segment is reported as damaged",
    arguments: [
      [#""segmentType":"SEG""#], [#""segmentType":"SEG_END""#], [#""segmentType":"SEG_START""#, #""clk":"B""#],
      [#""segmentType":"SEG_START""#, #""segmentType":"SEG_START""#],
    ])
  mutating func missingPart(_ parts: [String]) {
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","initialClk":"I","clk":"A"}"#)
    let last = parts.map { receive(#"{"op":"mcm","id":2,\#($0)}"#) }.last
    #expect(last?.contains(.damaged) == true && session.position == nil)
  }

  @Test("A message that is never completed ends the connection despite heartbeats")
  mutating func unfinished() {
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","initialClk":"I","clk":"A"}"#)
    _ = receive(#"{"op":"mcm","id":2,"segmentType":"SEG_START"}"#, at: 1)
    for second in 2...10 { _ = receive(#"{"op":"mcm","id":2,"ct":"HEARTBEAT"}"#, at: second) }
    #expect(session.checkSilence(at: .seconds(10)) == [])
    #expect(session.nextDeadline == .seconds(11))
    #expect(session.checkSilence(at: .seconds(11)) == [.close(.silence)])
  }

  @Test("After an unreadable line, the next connection begins with an image")
  mutating func unreadable() {
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","initialClk":"I","clk":"A"}"#)
    #expect(receive(#"{"op":"mcm","#) == [.decode, .close(.unreadable)])
    #expect(!open(firstID: 3).contains("clk"))
  }

  @Test(
    "An unreadable part of a line is reported, and no position is kept until the next image",
    arguments: [#""mc":[{"id":"1.5","rc":[{"id":"x"}]}]"#, #""mc":[7]"#, #""ct":"NEW""#, #""segmentType":7"#])
  mutating func damaged(part: String) {
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","initialClk":"I","clk":"A"}"#)
    #expect(receive(#"{"op":"mcm","id":2,"clk":"B",\#(part)}"#) == [.decode, .damaged])
    #expect(receive(#"{"op":"mcm","id":2,"clk":"C"}"#) == [.decode] && session.position == nil)
    let request = sent(session.askForImage())
    #expect(request.contains(#""id":3,"#) && !request.contains("clk"))
    #expect(receive(#"{"op":"mcm","id":2,"clk":"D"}"#) == [])
    _ = receive(#"{"op":"mcm","id":3,"ct":"SUB_IMAGE","segmentType":"SEG_START"}"#)
    _ = receive(#"{"op":"mcm","id":3,"ct":"SUB_IMAGE","initialClk":"I","clk":"E","segmentType":"SEG_END"}"#)
    #expect(session.position == StreamPosition(initialClock: "I", clock: "E"))
  }

  @Test("After a line whose subscription or kind is unreadable, the next connection begins with an image")
  mutating func unknownKind() {
    for (number, line) in [#"{"op":7,"id":2,"mc":[]}"#, #"{"op":"mcm","id":"x"}"#, #"{"op":"mcm"}"#].enumerated() {
      let request = open(firstID: 2 * number + 1)
      #expect(!request.contains("clk"))
      _ = receive(#"{"op":"mcm","id":\#(2 * number + 2),"ct":"SUB_IMAGE","initialClk":"I","clk":"A"}"#)
      #expect(receive(line).last == .close(.unreadable))
    }
    #expect(session.position == nil)
  }

  /// The reaction to each code, by its text on the wire.
  private static let reactions: [(String, StreamErrorCode.Reaction)] = [
    ("NO_APP_KEY", .giveUp), ("INVALID_APP_KEY", .giveUp), ("NO_SESSION", .logIn),
    ("INVALID_SESSION_INFORMATION", .logIn), ("NOT_AUTHORIZED", .giveUp), ("INVALID_INPUT", .giveUp),
    ("INVALID_CLOCK", .startOver), ("UNEXPECTED_ERROR", .retry), ("TIMEOUT", .retry),
    ("SUBSCRIPTION_LIMIT_EXCEEDED", .giveUp), ("INVALID_REQUEST", .giveUp), ("CONNECTION_FAILED", .retry),
    ("MAX_CONNECTION_LIMIT_EXCEEDED", .retry), ("TOO_MANY_REQUESTS", .retry),
  ]

  @Test("A failed request closes the connection, with a reaction for each code", arguments: reactions)
  mutating func refusal(code: String, reaction: StreamErrorCode.Reaction) {
    session.connected(token: "TOKEN", at: .zero)
    _ = receive(#"{"op":"connection"}"#)
    let line = #"{"op":"status","statusCode":"FAILURE","errorCode":"\#(code)","errorMessage":"why"}"#
    guard case .close(let failure)? = receive(line).first, case .refused(let known, "why") = failure else {
      return #expect(Bool(false), "\(code) is not known")
    }
    #expect(known.rawValue == code && failure.reaction == reaction)
    #expect(receive(success(1)) == [] && session.nextDeadline == nil)
  }

  @Test("Every code has a reaction that the test above expects")
  func codes() {
    #expect(Set(Self.reactions.map { $0.0 }) == Set(StreamErrorCode.allCases.map(\.rawValue)))
  }

  @Test("An exceeded limit does not end a live subscription, and a late refusal does not end its replacement")
  mutating func limited() {
    _ = open()
    func refusal(_ id: Int) -> String {
      #"{"op":"status","id":\#(id),"statusCode":"FAILURE","errorCode":"SUBSCRIPTION_LIMIT_EXCEEDED"}"#
    }
    #expect(receive(refusal(2)) == [.limited])
    _ = session.askForImage()
    #expect(receive(refusal(2)) == [])
    #expect(receive(refusal(3)) == [.close(.refused(.subscriptionLimit, ""))])
  }

  @Test("An unknown error code leads to a retry")
  mutating func unknown() {
    session.connected(token: "TOKEN", at: .zero)
    let failure = MarketStreamSession.Failure.refusedUnknown("NEW")
    #expect(receive(#"{"op":"status","statusCode":"FAILURE","errorCode":"NEW"}"#) == [.close(failure)])
    #expect(failure.reaction == .retry)
  }

  @Test("Silence closes a live connection after two heartbeats, and an opening one after 15 s")
  mutating func silence() {
    session.connected(token: "TOKEN", at: .seconds(100))
    #expect(session.nextDeadline == .seconds(115) && session.checkSilence(at: .seconds(114)) == [])
    #expect(session.checkSilence(at: .seconds(115)) == [.close(.silence)] && session.nextDeadline == nil)
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"HEARTBEAT"}"#, at: 20)
    #expect(session.nextDeadline == .seconds(30) && session.checkSilence(at: .seconds(29)) == [])
    #expect(session.checkSilence(at: .seconds(30)) == [.close(.silence)])
  }

  @Test("Lines of a replaced subscription, and heartbeats before the new image, do not keep the old prices live")
  mutating func silenceAfterReplacement() {
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","initialClk":"I","clk":"A"}"#, at: 20)
    _ = session.askForImage()
    _ = receive(#"{"op":"mcm","id":2,"clk":"B"}"#, at: 25)
    _ = receive(#"{"op":"mcm","id":3,"ct":"HEARTBEAT"}"#, at: 26)
    #expect(session.nextDeadline == .seconds(30))
    _ = receive(#"{"op":"mcm","id":3,"ct":"SUB_IMAGE","segmentType":"SEG_START"}"#, at: 27)
    #expect(session.nextDeadline == .seconds(37))
    _ = receive(#"{"op":"mcm","id":3,"ct":"SUB_IMAGE","clk":"C","segmentType":"SEG_END"}"#, at: 28)
    _ = receive(#"{"op":"mcm","id":3,"ct":"HEARTBEAT"}"#, at: 33)
    #expect(session.nextDeadline == .seconds(43))
  }
}
