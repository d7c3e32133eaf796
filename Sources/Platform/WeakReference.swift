/// A weak reference to an object, for tasks that must not keep it alive.
package struct WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
  // `@unchecked Sendable` is safe: `value` is never written after `init` (a `weak let` needs Swift 6.3), and the object
  // itself is `Sendable`.
  package private(set) weak var value: Object?

  package init(_ value: Object) { self.value = value }
}
