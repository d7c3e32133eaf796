import ArgumentParser
import Dashboard
import EveryMatrix
import FeedRecording
import Localization
import OddsModel
import Polymarket
import TerminalCore

/// The playback speed of a recording, written as `10`, `0.5x` or `max`.
struct SpeedOption: ExpressibleByArgument, Hashable, CustomStringConvertible {
  let speed: PlaybackSpeed

  init(speed: PlaybackSpeed) { self.speed = speed }

  init?(argument: String) {
    if argument == "max" {
      speed = .max
      return
    }
    let digits = argument.hasSuffix("x") ? argument.dropLast() : argument[...]
    guard let factor = Double(digits), PlaybackSpeed.range.contains(factor) else { return nil }
    speed = .times(factor)
  }

  var description: String {
    switch speed {
    case .times(let factor) where factor == factor.rounded(): "\(Int(factor))"
    case .times(let factor): "\(factor)"
    case .max: "max"
    }
  }
}

extension Playback {
  init(_ status: PlaybackStatus) {
    let speed: Speed =
      switch status.speed {
      case .times(let factor): .times(factor)
      case .max: .max
      }
    self.init(
      position: status.position, duration: status.duration, speed: speed, isPaused: status.isPaused,
      jumps: status.jumps)
  }
}

extension Recording {
  /// A channel for each topic, with unique titles.
  var channels: [BoardChannel] {
    let names = titles(.english)
    return zip(zip(titles(CLILanguage.words), names), topics).map {
      BoardChannel(title: $0.0, topic: $1, meaning: .verbatim($0.1))
    }
  }

  private func titles(_ words: Catalog) -> [String] {
    var used: Set<String> = []
    var nextNumber: [String: Int] = [:]
    return topics.map { topic in
      let title = topic.title(words)
      var unique = title
      while !used.insert(unique.lowercased()).inserted {
        let number = nextNumber[title, default: 2]
        unique = "\(title) \(number)"
        nextNumber[title] = number + 1
      }
      return unique
    }
  }
}

extension Topic {
  /// Returns the title, such as "Live", "Football" or "Live tennis"; for other topics the last part of the path before
  /// a limit.
  func title(_ words: Catalog) -> String {
    guard case .aggregator(let kind, let sport, _, _) = content else {
      var parts = path.split(separator: "/")
      if parts.dropLast().last == "limit" {
        parts.removeLast(2)
      } else if PolymarketCatalog().matchLimit(of: self) != nil {
        parts.removeLast()
      }
      guard let name = parts.last.map({ String($0).cleaned }) else { return words(.channelFeed) }
      return String((name.prefix(1).uppercased() + name.dropFirst()).prefix(20))
    }
    let title: MessageKey =
      switch kind {
      case .live: .channelLive
      case .next: .channelNext
      case .popular: .channelPopular
      }
    if sport == Topic.allSports { return words(title) }
    let sports: [String: MessageKey] = ["1": .channelFootball, "3": .channelTennis, "8": .channelBasketball]
    let name = sports[sport].map { words($0) }
    if kind == .popular, let name { return name }
    return words(.channelOfSport, title, name?.lowercased() ?? sport.cleaned)
  }
}
