import Testing

// One program at a time: two would compete for the processor.
@Suite(.serialized, .timeLimit(.minutes(45)))
enum EndToEndTests {}
