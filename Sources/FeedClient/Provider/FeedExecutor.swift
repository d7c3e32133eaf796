import Dispatch

/// Runs a task, and the stores that it calls, on one thread at a time that may block while it waits for a feed:
/// not on the few threads that all other tasks share.
package final class FeedExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "toteboard.feed")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
