import TerminalCore

extension FrameTime {
  /// The default path of a screen dump: a file in the home directory, named after the local date and time.
  var screenFile: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (year, month, day) = date(wall)
    return "~/toteboard-\(year)\(two(month))\(two(day))-\(timeOfDay(wall).filter { $0 != ":" }).txt"
  }
}
