// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import Dispatch
    internal import Synchronization

    /// Runs what takes part in Swift's concurrency, and waits for it. Only the main thread may, which is none of its threads.
    func waiting<R: Sendable>(for body: @escaping @Sendable () async throws -> R) throws -> R {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<R, any Error>?>(nil)
        Task.detached {
            let value: Result<R, any Error>
            do { value = .success(try await body()) } catch { value = .failure(error) }
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        return try result.withLock { $0! }.get()
    }
#endif
