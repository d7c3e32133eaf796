import Testing

// One program at a time: two would wait for each other's processor.
@Suite(.serialized)
enum EndToEndTests {}
