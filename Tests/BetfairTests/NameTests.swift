import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Betfair

@Suite("The names of markets")
struct NameTests {
  private static let definition =
    #"{"status":"OPEN","eventId":"29","marketType":"MATCH_ODDS","runners":[{"id":1,"sortPriority":1,"status":"ACTIVE"}]}"#
  private static let image =
    #"{"op":"mcm","id":1,"ct":"SUB_IMAGE","mc":[{"id":"1.5","img":true,"marketDefinition":\#(definition)}]}"#
  private static let result =
    #"[{"marketId":"1.5","marketName":"Match Odds","event":{"id":"29","name":"阿賈克斯 v Porto"},"#
    + #""competition":{"name":"Cup"},"runners":[{"selectionId":1,"runnerName":"阿賈克斯","handicap":0.0}]},5,{}]"#

  private func match(_ lines: [String]) throws -> Match {
    var decoder = BetfairDecoder()
    var batch = FeedBatch()
    for line in lines {
      Array(line.utf8).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
    }
    #expect(batch.unparsable == 0)
    var state = ChannelState()
    state.apply(batch)
    let id = try #require(MatchID("29"))
    let match = state.match(id)
    return try #require(match)
  }

  @Test("replace the ids, whether they come before or after the image, and stay after the next image")
  func order() throws {
    #expect(try match([Self.image]).name == "29")
    let names = String(decoding: SessionMessage.names(Self.result.utf8), as: UTF8.self)
    for lines in [[Self.image, names], [names, Self.image], [Self.image, names, Self.image]] {
      let match = try match(lines)
      #expect(match.name == "阿賈克斯 v Porto" && match.labels.tournament == "Cup" && match.labels.home == "阿賈克斯")
      #expect(match.markets.first?.outcomes.first?.name == "阿賈克斯")
    }
  }

  @Test("are recognized as a line of a recording")
  func recording() {
    let names = SessionMessage.names("[\n{\"marketId\":\"1.5\"}\r\n]".utf8)
    #expect(!names.contains(0x0A) && !names.contains(0x0D))
    #expect(names.withUnsafeBufferPointer { BetfairFormat().isMessage($0) })
  }

  @Test("do not complete an image whose segments are still arriving")
  func parts() {
    var cache = MarketCache()
    var message = StreamMessage()
    message.changeType = .image
    message.segment = .start
    #expect("\(cache.apply(message))" == "none")
    #expect("\(cache.apply(names: []))" == "none")
    message.changeType = .heartbeat
    message.segment = .none
    #expect("\(cache.apply(message))" == "none")
    message.changeType = .image
    message.segment = .end
    #expect("\(cache.apply(message))" == "dump")
  }
}
