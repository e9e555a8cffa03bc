// SPDX-License-Identifier: Apache-2.0

internal import SyncCore
internal import Synchronization

/// How far the loading of a bundle has come.
public enum LoadBundleTaskState: Int, Sendable, Hashable {
    /// It has failed, and nothing of the bundle is stored.
    case error
    /// It goes on.
    case inProgress
    /// All of the bundle is stored, or was before.
    case success
}

/// How much of a bundle is loaded.
public struct LoadBundleTaskProgress: Sendable, Hashable {
    /// The documents that were read.
    public let documentsLoaded: Int
    /// The documents of the bundle.
    public let totalDocuments: Int
    /// The bytes that were read.
    public let bytesLoaded: Int
    /// The bytes of the bundle, but for its first element.
    public let totalBytes: Int
    /// How far it has come.
    public let state: LoadBundleTaskState

    init(_ progress: BundleProgress) {
        documentsLoaded = progress.documentsLoaded
        totalDocuments = progress.totalDocuments
        bytesLoaded = progress.bytesLoaded
        totalBytes = progress.totalBytes
        state = progress.isComplete ? .success : .inProgress
    }

    /// What is told of a failure.
    init(failedAfter last: LoadBundleTaskProgress?) {
        documentsLoaded = last?.documentsLoaded ?? 0
        totalDocuments = last?.totalDocuments ?? 0
        bytesLoaded = last?.bytesLoaded ?? 0
        totalBytes = last?.totalBytes ?? 0
        state = .error
    }
}

/// Names an observer of a ``LoadBundleTask``.
public typealias LoadBundleObserverHandle = Int

/// The loading of a bundle; see `loadBundle` of ``Database``.
public final class LoadBundleTask: Sendable {
    private struct State {
        var observers: [Int: Callback<LoadBundleTaskProgress>] = [:]
        var lastHandle = 0
        var last: LoadBundleTaskProgress?
    }

    private let queue: CallbackQueue
    private let state = Mutex(State())

    init(_ queue: CallbackQueue) {
        self.queue = queue
    }

    /// Calls a closure with each step that is told from now on, on ``FirestoreSettings/dispatchQueue``. Whoever begins to
    /// load on that queue and adds an observer at once misses no step.
    @discardableResult
    public func addObserver(
        _ observer: @escaping (_ progress: LoadBundleTaskProgress) -> Void
    ) -> LoadBundleObserverHandle {
        let callback = Callback(observer)
        return state.withLock { state in
            state.lastHandle += 1
            state.observers[state.lastHandle] = callback
            return state.lastHandle
        }
    }

    /// Removes an observer, which is not called again. An unknown handle has no effect.
    public func removeObserverWith(handle: LoadBundleObserverHandle) {
        let observer = state.withLock { $0.observers.removeValue(forKey: handle) }
        // What the program's closure holds may end with it, and then call the task: not under the lock.
        withExtendedLifetime(observer) {}
    }

    /// Removes all observers.
    public func removeAllObservers() {
        let observers = state.withLock { state in
            defer { state.observers = [:] }
            return state.observers
        }
        withExtendedLifetime(observers) {}
    }

    /// Tells those who are observers when their turn comes on the queue.
    ///
    /// - Returns: what they are told.
    @discardableResult
    func tell(_ news: Result<BundleProgress, FirestoreError>) -> LoadBundleTaskProgress {
        let progress = state.withLock { state in
            let progress =
                switch news {
                case .success(let progress): LoadBundleTaskProgress(progress)
                case .failure: LoadBundleTaskProgress(failedAfter: state.last)
                }
            state.last = progress
            return progress
        }
        queue.async {
            for observer in self.currentObservers { observer(progress) }
        }
        return progress
    }

    private var currentObservers: [Callback<LoadBundleTaskProgress>] {
        state.withLock { $0.observers.sorted { $0.key < $1.key }.map(\.value) }
    }
}
