import Dispatch

/// An executor that runs a task, and the stores that it calls, on one thread at a time. That thread may block on a feed
/// without occupying the shared thread pool.
package final class FeedExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "toteboard.feed")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
