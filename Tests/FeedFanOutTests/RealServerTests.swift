import Testing

/// The tests that start a nats-server. They run one after another, because they share the threads on which
/// libnats delivers messages, and one of the tests blocks such a thread.
@Suite(.serialized, .timeLimit(.minutes(15))) enum RealServerTests {}
