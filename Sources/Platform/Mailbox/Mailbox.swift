public import DequeModule

/// A bounded queue from any number of producers to one reader.
///
/// Elements are read in the order in which they were sent, after the elements of the priority lane. The mailbox is full
/// once its elements reach a limit. It keeps elements beyond that: a producer calls `offer`, awaits `room()` or checks
/// `isFull`. The priority lane does not count: its elements replace each other.
///
/// A reader that waits is woken and then takes the elements, so an element can be withdrawn until it is taken. A
/// cancelled task receives the elements that are queued and does not wait.
///
/// Public and inlinable, because the compiler does not specialise package functions in other modules.
public final class Mailbox<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline
  struct Waiter: Sendable {
    @usableFromInline let id: UInt64
    @usableFromInline let continuation: CheckedContinuation<Void, Never>

    @inlinable
    init(id: UInt64, _ continuation: CheckedContinuation<Void, Never>) {
      self.id = id
      self.continuation = continuation
    }
  }

  @usableFromInline
  struct State {
    @usableFromInline var content: MailboxContent<Element>
    /// The end of the elements; nil while more can be sent.
    @usableFromInline var end: Result<Void, Failure>?
    @usableFromInline var reader: Waiter?
    /// The producers that wait for room.
    @usableFromInline var producers: [Waiter] = []
    @usableFromInline var lastID: UInt64 = 0

    @inlinable
    init(_ content: MailboxContent<Element>) { self.content = content }

    @inlinable var hasRoom: Bool { end != nil || !content.isFull }

    @inlinable
    mutating func nextID() -> UInt64 {
      lastID += 1
      return lastID
    }

    /// Removes and returns a waiting task.
    @inlinable
    mutating func removeWaiter(_ id: UInt64) -> CheckedContinuation<Void, Never>? {
      if reader?.id == id { return reader.take()?.continuation }
      return producers.firstIndex { $0.id == id }.map { producers.remove(at: $0).continuation }
    }

    /// Removes and returns the reader if it need not wait any more.
    @inlinable
    mutating func readyReader() -> Waiter? { end == nil && content.isEmpty ? nil : reader.take() }

    /// Removes and returns the producers if they need not wait any more.
    @inlinable
    mutating func readyProducers() -> [Waiter] {
      if producers.isEmpty || !hasRoom { return [] }
      defer { producers = [] }
      return producers
    }
  }

  @usableFromInline let state: Locked<State>

  /// Creates an empty mailbox.
  ///
  /// - Parameters:
  ///   - limits: The number and the total cost of the elements from which the mailbox is full.
  ///   - cost: Returns the cost of an element, for `limits.cost`.
  ///   - coalesce: Called before an element is added. Removes the elements that it makes obsolete. Returns false if
  ///     earlier elements make it superfluous; it is then not added.
  @inlinable
  public init(
    limits: MailboxLimits = MailboxLimits(), cost: @escaping @Sendable (Element) -> Int = { _ in 0 },
    coalesce: (@Sendable (Element, inout MailboxContent<Element>) -> Bool)? = nil
  ) {
    state = Locked(State(MailboxContent(limits: limits, cost: cost, coalesce: coalesce)))
  }

  /// The number of elements that are not read.
  @inlinable public var count: Int { state.withLock { $0.content.count } }

  /// True while the elements reach a limit.
  @inlinable public var isFull: Bool { state.withLock { $0.content.isFull } }

  /// True once the end is set. Elements before it may be unread.
  @inlinable public var isFinished: Bool { state.withLock { $0.end != nil } }

  /// True while a producer waits for room.
  @inlinable public var isHeldUp: Bool { state.withLock { !$0.producers.isEmpty } }

  // MARK: Producers

  /// Adds an element. Has no effect after the end. Returns false if the mailbox is full now.
  @inlinable
  @discardableResult
  public func send(_ element: Element) -> Bool { send(contentsOf: CollectionOfOne(element)) }

  /// Adds elements in order. Has no effect after the end. Returns false if the mailbox is full now.
  @inlinable
  @discardableResult
  public func send(contentsOf elements: some Sequence<Element>) -> Bool {
    change { state in
      if state.end == nil { for element in elements { state.content.add(element) } }
      return state.hasRoom
    }
  }

  /// Adds an element if it fits within the limits. Returns false if it does not, and after the end.
  @inlinable
  public func offer(_ element: Element) -> Bool {
    change { state in
      guard state.end == nil, state.content.fits(element) else { return false }
      state.content.add(element)
      return true
    }
  }

  /// Adds an element to the priority lane, in place of those in the lane for which `isObsolete` is true. Has no effect
  /// after the end.
  @inlinable
  public func sendUrgent(_ element: Element, replacing isObsolete: (Element) -> Bool) {
    change { state in
      if state.end == nil { state.content.addUrgent(element, replacing: isObsolete) }
    }
  }

  /// Removes the elements of the priority lane for which `isObsolete` is true.
  @inlinable
  public func withdrawUrgent(where isObsolete: (Element) -> Bool) {
    change { $0.content.urgent.removeAll(where: isObsolete) }
  }

  /// Returns once there is room, the mailbox is at its end or the task is cancelled.
  @inlinable
  public func room() async {
    if let id = change({ $0.hasRoom ? nil : $0.nextID() }) { await wait(id, isReader: false) }
  }

  /// Ends the mailbox. Further calls have no effect and return false.
  ///
  /// - Parameters:
  ///   - last: The last elements.
  ///   - failure: The error that a reader gets after the last element, each time; nil for none.
  ///   - dropsUnread: True to remove the elements that are not read, except `last`.
  @inlinable
  @discardableResult
  public func finish(with last: [Element] = [], throwing failure: Failure? = nil, dropsUnread: Bool = false) -> Bool {
    change { state in
      if state.end != nil { return false }
      if dropsUnread { state.content.removeAll() }
      for element in last { state.content.add(element) }
      state.end = failure.map { .failure($0) } ?? .success(())
      return true
    }
  }

  // MARK: The reader

  /// Removes and returns the next element, or waits for it. Returns nil at the end and if the task is cancelled. Only
  /// one task may wait at a time.
  @inlinable
  public func next() async throws(Failure) -> Element? { try await read { $0.popFirst() } }

  /// Removes and returns all elements, or waits for the next ones. Returns an empty array at the end and if the task is
  /// cancelled. Only one task may wait at a time.
  ///
  /// - Parameter onRoom: Called if the mailbox was full.
  @inlinable
  public func nextBatch(onRoom: () -> Void = {}) async throws(Failure) -> [Element] {
    let batch = try await read { $0.isEmpty ? nil : ($0.isFull, $0.removeAll()) }
    if batch?.0 == true { onRoom() }
    return batch?.1 ?? []
  }

  /// Waits for an element and leaves it in the mailbox. Returns false at the end and if the task is cancelled. Only one
  /// task may wait at a time.
  @inlinable
  public func hasNext() async throws(Failure) -> Bool { try await read { $0.isEmpty ? nil : true } ?? false }

  /// Removes and returns all elements without waiting.
  @inlinable
  public func drain() -> [Element] { change { $0.content.removeAll() } }

  // MARK: Waiting

  @usableFromInline
  enum Reading<Output: Sendable>: Sendable {
    case done(Output)
    case end(Result<Void, Failure>)
    case wait(UInt64)
  }

  @inlinable
  func read<Output: Sendable>(
    _ take: (inout MailboxContent<Element>) -> Output?
  ) async throws(Failure) -> Output? {
    while true {
      let reading: Reading<Output> = change { state in
        if let output = take(&state.content) { return .done(output) }
        if let end = state.end { return .end(end) }
        return Task.isCancelled ? .end(.success(())) : .wait(state.nextID())
      }
      switch reading {
      case .done(let output): return output
      case .end(let end):
        try end.get()
        return nil
      case .wait(let id): await wait(id, isReader: true)
      }
    }
  }

  /// Returns when a change allows the task to go on, or when the task is cancelled.
  @inlinable
  func wait(_ id: UInt64, isReader: Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        change { state in
          if isReader {
            precondition(state.reader == nil, "a mailbox has one reader")
            state.reader = Waiter(id: id, continuation)
          } else {
            state.producers.append(Waiter(id: id, continuation))
          }
          return Task.isCancelled ? state.removeWaiter(id) : nil
        }?.resume()
      }
    } onCancel: {
      change { $0.removeWaiter(id) }?.resume()
    }
  }

  /// Changes the state, then resumes the tasks that need not wait any more.
  @inlinable
  func change<Output: Sendable>(_ body: (inout State) -> Output) -> Output {
    let (output, reader, producers) = state.withLock { state in
      let output = body(&state)
      return (output, state.readyReader(), state.readyProducers())
    }
    reader?.continuation.resume()
    for producer in producers { producer.continuation.resume() }
    return output
  }
}
