import TerminalCore

extension FrameTime {
  /// Where a screen of now is written unless told otherwise: in the user's home, by the local time.
  var screenFile: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (year, month, day) = date(wall)
    return "~/toteboard-\(year)\(two(month))\(two(day))-\(timeOfDay(wall).filter { $0 != ":" }).txt"
  }
}
