public import CLibrary

/// A value protected by a mutex.
///
/// Uses a pthread mutex because the thread sanitizer does not understand `Synchronization.Mutex` (Swift 6.3 on Linux):
/// under contention, the lock is handed over inside a library that is not instrumented, and the sanitizer reports false
/// races that hide the real ones.
///
/// Public and inlinable, because the compiler does not specialise package functions in other modules.
public final class Locked<Value>: @unchecked Sendable {
  // `@unchecked Sendable` is safe: `value` is reached only through `withLock`, which holds the mutex. The value enters
  // and leaves as `sending`, so no reference to it remains outside the lock.
  @usableFromInline let value: UnsafeMutablePointer<Value>
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Creates a lock that owns `initial`.
  public init(_ initial: consuming sending Value) {
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

  /// Calls `body` with exclusive access to the value. NB: not reentrant; a nested call deadlocks.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }
}
