import EveryMatrix
import OddsModel
import Testing

@testable import FeedSimulator

@Suite("The rule of canonical topics")
struct TopicRuleTests {
  @Test("a rule parsed from its text is equal, and an unknown rule leaves topics unchanged")
  func texts() {
    for rule in [TopicRule.simulated(matches: 0), .simulated(matches: 20_000), .verbatim] {
      #expect(TopicRule(text: rule.text) == rule)
    }
    for text in ["", "simulated", "simulated -1", "simulated x", "other 5", "simulated 5 6"] {
      #expect(TopicRule(text: text) == .verbatim)
    }
    #expect(TopicRule.verbatim.canonical(Topic(path: "/nope")) == Topic(path: "/nope"))
  }

  @Test("a book's rule returns the same canonical topic as the book")
  func book() throws {
    let options = try SimulatorOptions(matches: 30, startTime: startTime)
    let feed = BookFeed(options: options, uptime: 0)
    let rule = TopicRule(text: feed.topicRule.text)
    let topics = [.aggregator(.popular, matches: 1000), .aggregator(.live, matches: 5), Topic(path: "/nope")]
    for topic in topics { #expect(rule.canonical(topic) == feed.canonical(topic)) }
    #expect(rule.canonical(topics[0]) == .aggregator(.popular, matches: 30))
  }
}
