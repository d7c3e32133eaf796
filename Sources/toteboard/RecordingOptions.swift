import ArgumentParser
import Dashboard
import FeedClient
import OddsFeed

/// How fast a recording is played, as it is written: `10`, `0.5`, `max`.
struct SpeedOption: ExpressibleByArgument {
  let speed: PlaybackSpeed

  init?(argument: String) {
    if argument == "max" {
      speed = .max
      return
    }
    let digits = argument.hasSuffix("x") ? argument.dropLast() : argument[...]
    guard let factor = Double(digits), PlaybackSpeed.range.contains(factor) else { return nil }
    speed = .times(factor)
  }
}

extension Playback {
  init(_ status: PlaybackStatus) {
    let speed: Speed =
      switch status.speed {
      case .times(let factor): .times(factor)
      case .max: .max
      }
    self.init(position: status.position, duration: status.duration, speed: speed, isPaused: status.isPaused)
  }
}

extension Recording {
  /// A channel for each topic, each with a title of its own.
  var channels: [BoardChannel] {
    var titles: [String] = []
    for topic in topics {
      let title = topic.title
      var (other, number) = (title, 2)
      while titles.contains(where: { $0.lowercased() == other.lowercased() }) {
        other = "\(title) \(number)"
        number += 1
      }
      titles.append(other)
    }
    return zip(titles, topics).map { BoardChannel(title: $0, topic: $1) }
  }
}

extension Topic {
  /// What stands on the tab of a topic: "Live", "Football", "Live tennis", or the path's end.
  fileprivate var title: String {
    guard case .aggregator(let kind, let sport, _, _) = content else {
      let name = (path.split(separator: "/").last.map(String.init) ?? "feed").cleaned
      return String((name.prefix(1).uppercased() + name.dropFirst()).prefix(20))
    }
    let title =
      switch kind {
      case .live: "Live"
      case .next: "Next"
      case .popular: "Popular"
      }
    if sport == Topic.allSports { return title }
    let name = ["1": "football", "3": "tennis", "8": "basketball"][sport]
    if kind == .popular, let name { return name.prefix(1).uppercased() + name.dropFirst() }
    return "\(title) \((name ?? sport).cleaned)"
  }
}
