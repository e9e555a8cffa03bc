// SPDX-License-Identifier: Apache-2.0

#if Server
    import Dispatch

    /// Runs tasks while the pool has no thread.
    final class OwnThread: TaskExecutor {
        private let queue = DispatchQueue(label: "test")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif
