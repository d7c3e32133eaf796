import Locking
import OddsFeed

extension FoldedNames {
  init(_ labels: Match.Labels) { self.init { labels[$0] } }

  /// What has been folded already, so that a key that is typed folds nothing: a memory of a pure function, which nobody can
  /// tell from folding anew.
  final class Memo: Sendable {
    private struct State {
      var names: [ObjectIdentifier: (labels: Match.Labels, names: FoldedNames)] = [:]
      var folded = 0
    }

    /// Of names that have gone no more than these are kept.
    private let limit: Int
    private let state = Locked(State())

    init(limit: Int = 40_000) { self.limit = limit }

    /// How many names had to be folded so far.
    var folded: Int { state.withLock { $0.folded } }

    func names(_ labels: Match.Labels) -> FoldedNames {
      // NB: the labels are kept, so that their identity stays theirs.
      state.withLock { state in
        if let known = state.names[ObjectIdentifier(labels)] { return known.names }
        if state.names.count >= limit { state.names.removeAll() }
        let names = FoldedNames(labels)
        state.names[ObjectIdentifier(labels)] = (labels, names)
        state.folded += 1
        return names
      }
    }
  }
}

extension Match.Labels {
  subscript(_ searched: FoldedNames.Part) -> String {
    switch searched {
    case .name: name
    case .tournament: tournament
    case .country: category
    case .part: part
    case .sport: sport
    }
  }
}
