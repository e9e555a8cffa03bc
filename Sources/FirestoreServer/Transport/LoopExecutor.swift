// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import NIOCore

    /// Runs tasks on an event loop. A call that takes microseconds then waits for no other thread: waking one up takes longer than
    /// most reads.
    final class LoopExecutor: TaskExecutor {
        private let loop: any EventLoop

        init(_ loop: any EventLoop) {
            self.loop = loop
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif
