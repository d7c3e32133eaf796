import EveryMatrix
import OddsModel
import Testing

@testable import FeedSimulator

@Suite("The server's side of a session")
struct WAMPConversationTests {
  private typealias URI = WAMPMessage.URI
  private let page = Topic(path: "/sports/1/en/1/match-odds")

  private func open(maxTopics: Int = 3) -> WAMPConversation {
    var conversation = WAMPConversation(session: 7, realm: "realm", maxTopics: maxTopics)
    #expect(
      messages(conversation.receive(Array(#"[1,"realm",{"roles":{"callee":{}}}]"#.utf8))) == [.welcome(session: 7)])
    return conversation
  }

  private func messages(_ outputs: [WAMPConversation.Output]) -> [WAMPMessage] {
    outputs.compactMap {
      guard case .send(let text) = $0 else { return nil }
      return try? text.withUnsafeBufferPointer { try WAMPMessage.parse($0) }
    }
  }

  private func otherOutputs(_ outputs: [WAMPConversation.Output]) -> [WAMPConversation.Output] {
    outputs.filter { if case .send = $0 { false } else { true } }
  }

  @Test("registers each topic once, up to a limit, and unregisters topics")
  func registrations() {
    var conversation = open(maxTopics: 2)
    let first = conversation.receive(WAMPMessage.register(request: 1, procedure: page.path).text)
    #expect(first == [.join(page, request: 1)])
    let joined = conversation.joined(page, request: 1)
    #expect(joined.registration == 1)
    #expect(messages([.send(joined.answer)]) == [.registered(request: 1, registration: 1)])

    let twice = conversation.receive(WAMPMessage.register(request: 2, procedure: page.path).text)
    guard case .error(64, 2, URI.procedureAlreadyExists, _)? = messages(twice).first, twice.count == 1 else {
      Issue.record("\(messages(twice))")
      return
    }
    #expect(
      conversation.receive(WAMPMessage.register(request: 3, procedure: "/b").text)
        == [.join(Topic(path: "/b"), request: 3)])
    _ = conversation.joined(Topic(path: "/b"), request: 3)
    guard
      case .error(64, 4, URI.limit, let why)? = messages(
        conversation.receive(WAMPMessage.register(request: 4, procedure: "/c").text)
      ).first
    else {
      Issue.record("no bound")
      return
    }
    #expect(why.contains("2 topics"))
    let left = conversation.receive(WAMPMessage.unregister(request: 5, registration: 1).text)
    #expect(otherOutputs(left) == [.leave(page, registration: 1)])
    #expect(messages(left) == [.unregistered(request: 5)])
    let again = conversation.receive(WAMPMessage.unregister(request: 6, registration: 1).text)
    #expect(messages(again) == [.error(type: 66, request: 6, uri: URI.noSuchRegistration, text: "")])
  }

  @Test("requests dumps, and answers invalid calls with an error")
  func calls() {
    var conversation = open()
    let call = WAMPMessage.call(request: 1, procedure: WAMPMessage.dumpProcedure, topic: page.path).text
    #expect(conversation.receive(call) == [.dump(page, request: 1)])
    #expect(
      String(decoding: conversation.answer(1, with: Array("{}".utf8)), as: UTF8.self) == "[50,1,{},[],{}]")
    for (text, uri) in [
      (#"[48,2,{},"/sports#initialDump"]"#, URI.invalidArgument), (#"[48,2,{},"/x",[],{}]"#, URI.noSuchProcedure),
    ] {
      guard case .error(48, 2, uri, let why)? = messages(conversation.receive(Array(text.utf8))).first else {
        Issue.record("\(text)")
        continue
      }
      #expect(why.contains(": "))
    }
  }

  @Test("refuses a topic that cannot be joined, and continues")
  func refusals() {
    var conversation = open()
    #expect(
      conversation.receive(WAMPMessage.register(request: 1, procedure: page.path).text) == [.join(page, request: 1)])
    let refusals = [
      conversation.refuseJoin(1, URI.invalidArgument, page.unknownText),
      conversation.refuseDump(2, URI.limit, "too many"),
    ]
    #expect(
      messages(refusals.map { .send($0) }) == [
        .error(type: 64, request: 1, uri: URI.invalidArgument, text: "topic '\(page)' is unknown"),
        .error(type: 48, request: 2, uri: URI.limit, text: "too many"),
      ])
    #expect(
      conversation.receive(WAMPMessage.register(request: 3, procedure: page.path).text) == [.join(page, request: 3)])
    #expect(conversation.joined(page, request: 3).registration == 1)
  }

  @Test("refuses names of more than 4096 bytes, keeps none of them, and truncates names in errors")
  func longNames() {
    var conversation = open(maxTopics: 1)
    let long = "/" + String(repeating: "x", count: 60_000)
    for message: WAMPMessage in [
      .register(request: 1, procedure: long), .call(request: 1, procedure: long, topic: nil),
      .call(request: 1, procedure: WAMPMessage.dumpProcedure, topic: long),
      .call(request: 1, procedure: "/" + String(repeating: "x", count: 4000), topic: nil),
    ] {
      let answer = conversation.receive(message.text)
      guard case .error(_, 1, _, let why)? = messages(answer).first else {
        Issue.record("\(answer)")
        continue
      }
      #expect(why.utf8.count < 300 && otherOutputs(answer).isEmpty)
    }
    let first = conversation.receive(WAMPMessage.register(request: 2, procedure: page.path).text)
    #expect(first == [.join(page, request: 2)])
  }

  @Test("numbers invocations per session, and accepts a YIELD or an ERROR as the answer")
  func invocations() {
    var conversation = open()
    #expect(String(decoding: conversation.nextInvocation(of: 4), as: UTF8.self) == "[68,1,4,{},[],")
    #expect(String(decoding: conversation.nextInvocation(of: 9), as: UTF8.self) == "[68,2,9,{},[],")
    #expect(conversation.receive(Array("[70,1,{}]".utf8)).isEmpty)
    #expect(conversation.receive(Array(#"[8,68,2,{},"some.error"]"#.utf8)).isEmpty)
  }

  @Test("ends with GOODBYE from either side, releases registrations, and answers nothing afterwards")
  func ends() {
    var theirs = open()
    _ = theirs.receive(WAMPMessage.register(request: 1, procedure: page.path).text)
    _ = theirs.joined(page, request: 1)
    let answer = theirs.receive(WAMPMessage.goodbye(reason: URI.closeRealm).text)
    #expect(messages(answer) == [.goodbye(reason: URI.goodbyeAndOut)])
    #expect(otherOutputs(answer) == [.leave(page, registration: 1), .close(code: 1000)])
    #expect(theirs.receive(WAMPMessage.register(request: 2, procedure: "/b").text).isEmpty)
    #expect(theirs.shutDown().isEmpty)

    var ours = open()
    let last = ours.shutDown()
    #expect(messages(last) == [.goodbye(reason: URI.systemShutdown)])
    #expect(otherOutputs(last) == [.close(code: 1001)])
    #expect(!ours.isOpen)
  }

  @Test(
    "ends the session with ABORT and a reason after an invalid message",
    arguments: [
      "", "{}", "[", "[]", "[1", "null", "[\"1\"]", #"[1,"realm",{}]"#, "[2,1,{}]", "[68,1,1,{}]", "[64,1,{}]", "[48]",
      "[99,1]",
      "[64,-1,{},\"/a\"]", "[64,1,[],\"/a\"]", "[64,0,{},\"/a\"]", "[66,1,0]", "[70,9007199254740993,{}]",
    ])
  func violations(text: String) {
    var conversation = open()
    let answer = conversation.receive(Array(text.utf8))
    guard case .abort(URI.protocolViolation, let why)? = messages(answer).first else {
      Issue.record("\(answer)")
      return
    }
    #expect(why.contains(": "))
    #expect(answer.last == .close(code: 1002))
    #expect(conversation.receive(WAMPMessage.hello(realm: "realm").text).isEmpty)
  }

  @Test("serves nothing before HELLO, and refuses another realm")
  func greeting() {
    var early = WAMPConversation(session: 1)
    #expect(otherOutputs(early.receive(WAMPMessage.register(request: 1, procedure: "/a").text)) == [.close(code: 1002)])
    var other = WAMPConversation(session: 1, realm: "realm")
    let answer = other.receive(WAMPMessage.hello(realm: "unreal").text)
    guard case .abort(URI.noSuchRealm, let why)? = messages(answer).first else {
      Issue.record("\(answer)")
      return
    }
    #expect(why.contains("'unreal'"))
    var any = WAMPConversation(session: 1)
    #expect(messages(any.receive(WAMPMessage.hello(realm: "whatever").text)) == [.welcome(session: 1)])
  }
}
