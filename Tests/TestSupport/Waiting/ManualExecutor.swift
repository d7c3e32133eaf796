import Platform

/// Runs the jobs of its tasks when the test calls `run()`.
package final class ManualExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  package init() {}

  /// The number of jobs that are to run.
  package var count: Int { jobs.withLock { $0.count } }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs all jobs, until each task waits or has ended.
  package func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
