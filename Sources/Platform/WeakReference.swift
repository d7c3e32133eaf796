/// An object for a task that must not keep it alive.
package struct WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
  // Safe to share: nobody writes it (a `weak let` needs Swift 6.3), and the object itself is safe to share.
  package private(set) weak var value: Object?

  package init(_ value: Object) { self.value = value }
}
