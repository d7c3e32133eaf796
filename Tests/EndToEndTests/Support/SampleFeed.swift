import TestSupport

/// Two matches; then prices change, one is withdrawn, a match is added and removed, and another match ends.
let sampleFeed =
  [
    FeedText.dump(
      FeedText.football(),
      FeedText.football(200, #"Köln, 1. FC - \"浦和\""#, start: 1_750_748_400_500, odds: ["1.5", "4", "7.1234567"])),
    FeedText.update(FeedText.odds(121, "2.5"), FeedText.odds(123, "2.75")),
    "no JSON",
    FeedText.update(FeedText.change("BETTING_OFFER", 122, #""statusId":"4","isAvailable":false"#)),
    FeedText.update(
      FeedText.create("MATCH", 300, #"{"_type":"MATCH","id":"300","name":"Lens - Lille","statusId":"1"}"#)),
    FeedText.update(FeedText.delete("MATCH", 300), FeedText.change("MATCH", 100, #""statusId":"3""#)),
  ].joined(separator: "\n") + "\n"
