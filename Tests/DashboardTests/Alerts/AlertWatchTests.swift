import Localization
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The alerts of a channel without a board.
struct AlertWatchTests {
  private static let now = FrameTime(uptime: .seconds(10), wall: 1_750_752_000_000, zone: 0)

  private static func watch(_ rules: String...) throws -> AlertWatch {
    var settings = BoardSettings()
    for rule in rules { settings.alerts.append(try AlertRule(rule)) }
    return AlertWatch(settings: settings, readsHistory: false, words: .english)
  }

  private static func update(_ changed: Match..., grade: Freshness.Grade = .live) -> ChannelUpdate {
    ChannelUpdate(changed: changed, freshness: Freshness(grade, since: now.wall))
  }

  @Test("A rule on an outcome that the channel does not carry is named once, when its match is there")
  func unseen() throws {
    let other = #"match 200 market "Handicap 1.5" outcome "Lens" >= 2.10"#
    var watch = try Self.watch(
      #"match 100 market "Handicap 1.5" outcome "Ajax" >= 2.10"#, other,
      #"market "Match Result" outcome "home" suspended"#, "1 >= 2.5", "every outcome lowest of the day",
      #"lens market "Total 2.5" outcome "Over" < 2"#)
    func unseen() -> [String] { watch.drainUnseenRules().map(\.text) }
    _ = watch.apply(Self.update(.football(), grade: .locked), now: Self.now)
    #expect(unseen().isEmpty)
    _ = watch.apply(Self.update(), now: Self.now)
    #expect(unseen() == [#"match 100 market "Handicap 1.5" outcome "Ajax" >= 2.10"#])
    _ = watch.apply(Self.update(.football(odds: ["2.50", "3.1", "2.9"])), now: Self.now)
    #expect(unseen().isEmpty)
    // A match that has no markets yet decides nothing.
    let bare = Match(id: MatchID(raw: 200), labels: Match.Names(name: "Lens - Lille"))
    _ = watch.apply(Self.update(bare), now: Self.now)
    #expect(unseen().isEmpty)
    _ = watch.apply(Self.update(.football(200, "Lens - Lille")), now: Self.now)
    #expect(unseen().count == 2)
    _ = watch.apply(Self.update(.football(), .football(200, "Lens - Lille")), now: Self.now)
    #expect(unseen().isEmpty)
  }
}
