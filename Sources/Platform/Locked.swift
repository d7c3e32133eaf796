#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A value that one thread at a time may see.
///
/// `Synchronization.Mutex` would do, but where two threads meet on it, the lock changes hands inside a library that the
/// thread sanitizer does not see into (Swift 6.3 on Linux): it then reports races that are none, and the real ones drown
/// among them. A pthread mutex it understands.
package final class Locked<Value>: @unchecked Sendable {
  // Safe to share: `value` is reached through `withLock` only, which holds the mutex; it came in by `sending` and goes
  // out by `sending`, so nobody keeps a way around the lock.
  private let value: UnsafeMutablePointer<Value>
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Takes the value over.
  package init(_ initial: consuming sending Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs the body with the value to itself. Not to be called again from within.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }
}
