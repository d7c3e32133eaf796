import Localization

extension BoardState {
  mutating func openPrompt(_ kind: Prompt.Kind, text: String = "", now: FrameTime) -> [Effect] {
    statusBar.reduce(.clearMessage, now: now)
    return reducePrompt(.open(kind, text: text), now: now)
  }

  /// Opens the prompt for a filter, or for a search in the open help.
  mutating func openSearch(now: FrameTime) -> [Effect] {
    if overlay?.content == .help { return openPrompt(.search, text: overlay?.search?.text ?? "", now: now) }
    if detailCoversList { return [] }
    // Closes the overlay, so that the matching rows are visible.
    overlay = nil
    return openPrompt(.find, text: filterState.text, now: now)
  }

  /// Opens the prompt for the bet calculator, with the last bet.
  mutating func openCalculator(now: FrameTime) -> [Effect] {
    if detail.pane == nil { return [.note(.calculatorNoMatch, settings.keys.name(of: .open, words))] }
    if overlay != nil { return [] }
    return openPrompt(.command, text: "calculate \(detail.lastTicket?.text ?? "back 10")", now: now)
  }

  mutating func reducePrompt(_ action: PromptBar.Action, now: FrameTime) -> [Effect] {
    let request = promptBar.reduce(action, completer)
    switch request {
    case .find(let text): reduceFilter(.find(text), now: now)
    case .clearFilter: reduceFilter(.clear, now: now)
    case .search(let text): searchHelp(text)
    case .enter(let prompt): return enter(prompt, now: now)
    case nil: break
    }
    return []
  }

  private var completer: Completer {
    Completer(
      channels: channels, watchLists: list.watch.lists.indices.map { title(ofWatchListAt: $0) },
      currentWatchList: title(ofWatchListAt: list.watch.current), settings: settings, rows: list.rows,
      alerts: alerts.engine,
      selected: isDetailShown ? detail.pane?.id : list.selected?.id)
  }

  private mutating func enter(_ prompt: Prompt, now: FrameTime) -> [Effect] {
    if prompt.kind == .find {
      reduceFilter(.find(prompt.text), now: now)
      return reducePrompt(filterState.error.map { .refused(prompt, $0) } ?? .accepted(prompt), now: now)
    }
    let closing = reducePrompt(.accepted(prompt), now: now)
    if prompt.kind == .search { return closing + enterHelpSearch() }
    do { return try closing + run(prompt.text, now: now) } catch {
      return reducePrompt(.refused(prompt, error), now: now)
    }
  }
}
