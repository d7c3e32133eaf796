import OddsFeed
import OddsModel
import Testing

@testable import Polymarket

@Suite("The session with Polymarket")
struct MachineTests {
  typealias Run = MachineRun

  @Test("requests a topic's events, opens a socket for their tokens and subscribes to them")
  func start() throws {
    var run = Run()
    run.apply(.start)
    #expect(run.machine.state == .connecting(attempt: 1))
    let request = try #require(Run.requests(run.apply(.subscribe(Run.live))).first)
    let actions = run.apply(.fetched(request: request, .success([Sample.game])))
    let link = try #require(Run.links(actions).first)
    #expect(actions.contains(.topic(Run.live, .live)) && Run.messages(actions)[0].contains(#""event_type":"events""#))
    #expect(Run.states(actions) == [] && run.machine.state == .connecting(attempt: 1))
    let opened = run.apply(.socket(.opened, link: link))
    let sent = try #require(Run.operations(opened, link: link).first)
    #expect(sent.name == "market" && Set(sent.tokens) == ["11", "12", "21", "22", "31", "32"])
    #expect(Run.states(opened) == [.live])
    #expect(run.frame(Run.image(TokenID("11")!), link: link).contains(.deliver(Run.live)))
    #expect(!run.frame(Run.image(TokenID("99")!), link: link).contains(.deliver(Run.live)))
  }

  @Test("puts at most 200 tokens on a socket")
  func shards() {
    var event = Sample.game
    event.markets = (0..<375).map { index in
      Sample.market(
        UInt64(1000 + index), "player_points", ["Yes", "No"], ["\(5000 + index * 2)", "\(5001 + index * 2)"])
    }
    var run = Run()
    let links = run.start([event])
    let opened = links.map { Run.operations(run.apply(.socket(.opened, link: $0)), link: $0)[0].tokens }
    #expect(opened.map(\.count) == [200, 200, 200, 150])
    #expect(Set(opened.flatMap(\.self)) == Set(event.openTokens.map(\.description)))
    #expect(run.machine.state == .live)
    // One socket is lost: its prices are withdrawn at once, and those of the others stay.
    let lost = run.apply(.socket(.closed(.lost), link: links[1]))
    #expect(Run.states(lost) == [.recovering])
    let withdrawn = Run.messages(lost)[0]
    #expect(opened[1].allSatisfy { withdrawn.contains("\"\($0)\"") })
    #expect(opened[0].allSatisfy { !withdrawn.contains("\"\($0)\"") })
    let link = Run.links(run.advance(by: .seconds(1)))[0]
    let again = run.apply(.socket(.opened, link: link))
    #expect(Run.operations(again)[0].tokens == opened[1] && Run.states(again) == [.live])
    #expect(Run.messages(again).isEmpty)
  }

  @Test("requests a missing image again with growing timeouts")
  func missingImage() {
    var run = Run()
    let link = run.start([Sample.game])[0]
    run.apply(.socket(.opened, link: link))
    for token in Sample.game.openTokens.dropLast() { run.frame(Run.image(token), link: link) }
    var times: [Duration] = []
    for second in 1..<60 {
      run.apply(.socket(.pong, link: link))
      let sent = Run.operations(run.advance(by: .seconds(1))).filter { !$0.tokens.isEmpty }
      if sent.isEmpty { continue }
      times.append(.seconds(second))
      #expect(sent.map(\.name) == ["unsubscribe", "subscribe"] && sent.allSatisfy { $0.tokens == ["32"] })
    }
    #expect(times == [.seconds(5), .seconds(15), .seconds(35)])
    run.frame(Run.image(TokenID("32")!), link: link)
    #expect(!Run.operations(run.advance(by: .seconds(4))).contains { $0.tokens.contains("32") })
  }

  @Test("requests the image of a token again after a tick size change or an unreadable update")
  func lostBooks() {
    for text in [
      #"{"event_type":"tick_size_change","asset_id":"21","new_tick_size":"0.001"}"#,
      #"{"event_type":"price_change","price_changes":[{"asset_id":"21","price":"?","size":"1","side":"BUY"}]}"#,
      #"{"event_type":"book","asset_id":"21","bids":[{"price":"0.5"}],"asks":[]}"#,
    ] {
      var run = Run()
      let link = run.startLive()
      #expect(run.frame(text, link: link).contains(.deliver(Run.live)))
      let sent = Run.operations(run.advance(by: .seconds(5))).filter { !$0.tokens.isEmpty }
      #expect(sent.map(\.tokens) == [["21"], ["21"]])
    }
  }

  @Test("sends PING every 5 s, and closes a socket that does not answer within 4 s")
  func silence() {
    var run = Run()
    let link = run.startLive()
    for _ in 0..<5 {
      #expect(Run.operations(run.advance(by: .seconds(5)), link: link).map(\.name) == ["PING"])
      #expect(run.apply(.socket(.pong, link: link)) == [.alive])
    }
    #expect(Run.operations(run.advance(by: .seconds(5)), link: link).map(\.name) == ["PING"])
    #expect(!run.advance(by: .seconds(3)).contains(.close(link: link)))
    let actions = run.advance(by: .seconds(1))
    #expect(actions.contains(.close(link: link)) && !Run.states(actions).contains { $0.isUp })
  }

  @Test("closes a socket that takes longer than 30 s for one frame")
  func slowFrame() {
    var run = Run()
    let link = run.startLive()
    for _ in 0..<30 {
      #expect(!run.advance(by: .seconds(1)).contains(.close(link: link)))
      run.apply(.socket(.progress, link: link))
    }
    var actions: [PolymarketMachine.Action] = []
    for _ in 0..<11 {
      actions += run.advance(by: .seconds(1))
      run.apply(.socket(.progress, link: link))
    }
    #expect(actions.contains(.close(link: link)) && !run.machine.state.isUp)
  }

  @Test("does not treat silence as a loss while the reader lags behind")
  func unread() {
    var run = Run()
    let link = run.startLive()
    _ = run.advance(by: .seconds(8))
    run.apply(.unread(link: link))
    #expect(!run.advance(by: .seconds(5)).contains(.close(link: link)))
    // Unread data of another socket does not excuse the silence of this one.
    run.apply(.unread(link: link + 1))
    #expect(run.advance(by: .seconds(1)).contains(.close(link: link)))
  }

  @Test("delivers all events again before any price when the channel reconnects")
  func recovery() {
    var run = Run()
    let link = run.startLive()
    _ = run.advance(by: .seconds(3))
    let lost = run.apply(.socket(.closed(.lost), link: link))
    let next = Run.links(lost)[0]
    #expect(Run.states(lost) == [.connecting(attempt: 1)])
    // Late messages of the old socket are ignored.
    #expect(run.frame(Run.image(TokenID("11")!), link: link).isEmpty)
    let reopened = run.apply(.socket(.opened, link: next))
    #expect(Run.messages(reopened).count == 1 && Run.messages(reopened)[0].contains(#""event_type":"events""#))
    #expect(Run.operations(reopened)[0].tokens.count == 6)
    let order = reopened.map { if case .message = $0 { "events" } else if case .state = $0 { "state" } else { "" } }
    #expect(order.firstIndex(of: "events")! < order.firstIndex(of: "state")!)
  }

  @Test("doubles the delay after each failed attempt, and reports the reason")
  func backOff() {
    var run = Run()
    var link = run.start([Sample.game])[0]
    var delays: [Int64] = []
    for attempt in 2...9 {
      let actions = run.apply(.socket(.closed(.lost), link: link))
      guard case .waiting(let retry) = run.machine.state else { return #expect(Bool(false), "no retry") }
      #expect(retry.attempt == attempt && retry.reason == ConnectionError.lost.problem && Run.links(actions).isEmpty)
      let delay = retry.time - 1_769_000_000_000 - Int64(run.uptime / .milliseconds(1))
      delays.append(delay)
      link = Run.links(run.advance(by: .milliseconds(delay))).last!
    }
    #expect(delays == [100, 200, 400, 800, 1600, 3200, 6400, 12800])
  }

  @Test("stops at an untrusted certificate until the user requests a reconnect")
  func untrustedCertificate() {
    var run = Run()
    let link = run.start([Sample.game])[0]
    let problem = FeedError("not trusted", remedy: "none")
    run.apply(.socket(.closed(ConnectionError(.untrusted, problem)), link: link))
    #expect(run.machine.state == .failed(problem))
    #expect(Run.links(run.apply(.reconnect)).count == 1)
  }

  @Test("closes a socket after an unreadable frame, because changes may be missing")
  func unreadableFrame() {
    var run = Run()
    let link = run.startLive()
    let actions = run.frame(#"[{"event_type":"price_change","price_changes":[{"asset_id""#, link: link)
    #expect(actions.contains(.close(link: link)) && !run.machine.state.isUp)
  }

  @Test("closes a socket that sends a book update without a token")
  func unknownToken() {
    for text in [
      #"[{"event_type":"price_change","timestamp":"5"}]"#, #"[{"event_type":"book","bids":[],"asks":[]}]"#,
      #"{"event_type":"price_change","price_changes":[{"price":"0.5","size":"1","side":"BUY"}]}"#,
    ] {
      var run = Run()
      let link = run.startLive()
      #expect(run.frame(text, link: link).contains(.close(link: link)) && !run.machine.state.isUp)
    }
  }

  @Test("requests images again for a second topic with the same tokens, and drops tokens without a topic")
  func topics() {
    var run = Run()
    var main = Sample.game
    main.markets.removeLast()
    let link = run.startLive(main)
    let request = Run.requests(run.apply(.subscribe(Run.detail)))[0]
    let actions = run.apply(.fetched(request: request, .success([Sample.game])))
    let sent = Run.operations(actions, link: link)
    #expect(sent.map(\.name) == ["subscribe", "unsubscribe", "subscribe"])
    #expect(sent.map(\.tokens) == [["31", "32"], ["11", "12", "21", "22"], ["11", "12", "21", "22"]])
    let frame = run.frame(Run.image(TokenID("11")!), link: link)
    #expect(frame.contains(.deliver(Run.live)) && frame.contains(.deliver(Run.detail)))
    let dropped = Run.operations(run.apply(.unsubscribe(Run.detail)), link: link)
    #expect(dropped.map(\.name) == ["unsubscribe"] && dropped.map { Set($0.tokens) } == [["31", "32"]])
    #expect(run.apply(.unsubscribe(Run.live)).contains(.close(link: link)))
  }

  @Test("drops the tokens of a resolved market and requests its event from Gamma")
  func resolved() {
    var run = Run()
    let link = run.startLive()
    let actions = run.frame(#"{"event_type":"market_resolved","assets_ids":["11","12"]}"#, link: link)
    #expect(actions.contains(.deliver(Run.live)))
    #expect(Run.operations(actions).map { Set($0.tokens) } == [["11", "12"]])
    let request = Run.requests(run.advance(by: .zero))[0]
    // Gamma does not report the resolution yet, but the tokens are not subscribed to again.
    #expect(Run.operations(run.apply(.fetched(request: request, .success([Sample.game])))).isEmpty)
  }

  @Test("keeps a resolved market closed while a topic has it, and forgets it an hour later")
  func expiredResolution() {
    var run = Run()
    let link = run.startLive()
    run.frame(#"{"event_type":"market_resolved","assets_ids":["11","12"]}"#, link: link)
    /// Answers a request of the topic with these events.
    func answer(_ events: [GammaEvent], _ actions: [PolymarketMachine.Action]) {
      for request in Run.requests(actions) { run.apply(.fetched(request: request, .success(events))) }
    }
    for _ in 0..<130 { answer([Sample.game], run.advance(by: .seconds(30))) }
    #expect(run.uptime > PolymarketTiming.resolved && run.machine.resolved.tokens.count == 2)
    #expect(run.machine.entries[0].events?.first?.markets.first?.isClosed == true)
    for _ in 0..<110 { answer([], run.advance(by: .seconds(30))) }
    #expect(run.machine.resolved.tokens.count == 2)
    for _ in 0..<20 { answer([], run.advance(by: .seconds(30))) }
    #expect(run.machine.resolved.tokens.isEmpty)
  }

  @Test("delivers a resolved market as closed to all topics, even after a loss and if Gamma is outdated")
  func resolvedDump() {
    var run = Run()
    let link = run.startLive()
    run.frame(#"{"event_type":"market_resolved","assets_ids":["11","12"]}"#, link: link)
    let request = Run.requests(run.apply(.subscribe(Run.detail)))[0]
    let first = Run.messages(run.apply(.fetched(request: request, .success([Sample.game]))), to: Run.detail)
    #expect(first.first?.contains(#""closed":true"#) == true)
    run.apply(.socket(.closed(.lost), link: link))
    let again = Run.links(run.advance(by: .seconds(1)))[0]
    let messages = Run.messages(run.apply(.socket(.opened, link: again)))
    #expect(messages.count == 1 && messages[0].contains(#""closed":true"#))
  }

  @Test("delivers changed events of Gamma every 30 s, but none while the channel is lost")
  func refresh() {
    var run = Run()
    let link = run.startLive()
    var ended = Sample.game
    ended.hasEnded = true
    func next(_ run: inout Run) -> Int {
      for _ in 0..<6 {
        let actions = run.advance(by: .seconds(5))
        run.apply(.socket(.pong, link: link))
        if let request = Run.requests(actions).first { return request }
      }
      return 0
    }
    #expect(Run.messages(run.apply(.fetched(request: next(&run), .success([Sample.game])))).isEmpty)
    let changed = Run.messages(run.apply(.fetched(request: next(&run), .success([ended]))))
    #expect(changed.count == 1 && changed[0].contains("events_changed"))
    let request = next(&run)
    run.apply(.socket(.closed(.lost), link: link))
    #expect(Run.messages(run.apply(.fetched(request: request, .success([Sample.game])))).isEmpty)
  }

  @Test("reports a failed first request to Gamma, retries it, and keeps prices if only a later request fails")
  func gamma() {
    let error = FeedError("Gamma is gone", remedy: "wait")
    var run = Run()
    run.apply(.start)
    let request = Run.requests(run.apply(.subscribe(Run.live)))[0]
    let actions = run.apply(.fetched(request: request, .failure(error)))
    #expect(actions.contains(.topic(Run.live, .retrying(error, at: 1_769_000_000_100))))
    guard case .waiting(let retry) = run.machine.state else { return #expect(Bool(false), "no retry") }
    #expect(retry.reason == error && retry.attempt == 2)
    let again = Run.requests(run.advance(by: .milliseconds(100)))[0]
    let link = Run.links(run.apply(.fetched(request: again, .success([Sample.game]))))[0]
    run.apply(.socket(.opened, link: link))
    var requests: [Int] = []
    for _ in 0..<6 {
      #expect(requests.isEmpty && run.machine.state == .live)
      requests = Run.requests(run.advance(by: .seconds(5)))
      run.apply(.socket(.pong, link: link))
    }
    #expect(run.apply(.fetched(request: requests[0], .failure(error))).isEmpty && run.machine.state == .live)
  }

  @Test("assigns scores by game, answers pings, and stays live without the sports channel")
  func sports() {
    var run = Run()
    run.apply(.start)
    let request = Run.requests(run.apply(.subscribe(Run.live)))[0]
    let actions = run.apply(.fetched(request: request, .success([Sample.game])))
    let (market, sports) = (Run.links(actions)[0], Run.links(actions, .sports)[0])
    run.apply(.socket(.opened, link: market))
    run.apply(.socket(.opened, link: sports))
    #expect(Run.operations(run.apply(.socket(.ping, link: sports)), link: sports).map(\.name) == ["pong"])
    let score = Array(#"{"gameId":19439,"score":"1-0","live":true}"#.utf8)
    #expect(run.apply(.socket(.sports(game: 19439, text: score), link: sports)) == [.deliver(Run.live)])
    #expect(run.apply(.socket(.sports(game: 7, text: score), link: sports)).isEmpty)
    #expect(Run.states(run.apply(.socket(.closed(.lost), link: sports))).isEmpty && run.machine.state == .live)
    // A later topic receives the score at once.
    let other = Run.requests(run.apply(.subscribe(Run.detail)))[0]
    let messages = Run.messages(run.apply(.fetched(request: other, .success([Sample.game]))), to: Run.detail)
    #expect(messages.last == String(decoding: score, as: UTF8.self))
  }

  @Test("refuses a topic that does not exist")
  func unknownTopic() {
    var run = Run()
    run.apply(.start)
    let actions = run.apply(.subscribe(Subscription(topic: Topic(path: "/sports/1/en"), generation: 1)))
    guard case .topic(_, .refused(let error)) = actions.first else { return #expect(Bool(false), "not refused") }
    #expect(error.message == "Polymarket has no topic '/sports/1/en'")
  }

  @Test("closes every socket on disconnect, and does nothing afterwards")
  func end() {
    var run = Run()
    let link = run.startLive()
    let actions = run.apply(.disconnect)
    #expect(actions.contains(.close(link: link)) && Run.states(actions) == [.idle] && run.machine.deadline == nil)
    var quiet = Run()
    _ = quiet.start([])
    #expect(Run.states(quiet.apply(.disconnect)) == [.idle] && quiet.machine.deadline == nil)
    #expect(run.apply(.reconnect).isEmpty && run.apply(.subscribe(Run.detail)).isEmpty)
  }
}
