import OddsFeed
import TerminalCore

// The pane of the open match, and its subscription.
extension BoardRuntime {
  func openMatch(_ id: MatchID, of topic: Topic) async {
    let known = open?.match(id)
    await closeMatch()
    detail = await service.openMatch(id, of: topic) { [input] in input.wake() }
    _ = state.reduce(.matchOpened(id, known: known, hasTopic: detail != nil), at: moment())
  }

  func closeMatch() async {
    let old = detail
    detail = nil
    await old?.close()
  }
}
