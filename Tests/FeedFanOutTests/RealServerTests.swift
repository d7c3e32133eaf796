import Testing

/// The tests that start a nats-server. One after another: they share the threads on which libnats delivers messages, and
/// one of them blocks such a thread.
@Suite(.serialized, .timeLimit(.minutes(15))) enum RealServerTests {}
