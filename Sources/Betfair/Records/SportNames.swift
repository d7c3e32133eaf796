/// The names of the event types, which the stream gives by number only.
enum SportNames {
  private static let names = [
    "1": "Football", "2": "Tennis", "3": "Golf", "4": "Cricket", "5": "Rugby Union", "6": "Boxing",
    "7": "Horse Racing", "8": "Motor Sport", "11": "Cycling", "1477": "Rugby League", "3503": "Darts",
    "4339": "Greyhound Racing", "6422": "Snooker", "6423": "American Football", "7511": "Baseball",
    "7522": "Basketball", "7524": "Ice Hockey", "468328": "Handball", "998917": "Volleyball",
    "2378961": "Politics", "26420387": "Mixed Martial Arts",
  ]

  /// Returns the name of an event type; nil if it is not known.
  static func name(_ eventType: String) -> String? { names[eventType] }
}
