// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
package import SyncCore

/// Who waits for what a client's machine tells, by the numbers that the machine knows them by.
struct SyncWaiters {
    /// Both are called once, `settled` first.
    struct Write {
        /// The writes are in the queue, or they have failed.
        let settled: (FirestoreError?) -> Void
        /// The server has answered, or they have failed.
        let finished: (FirestoreError?) -> Void
        var isSettled = false
    }

    var listeners: [Int: (SyncClient.ListenerNews) -> Void] = [:]
    var writes: [Int: Write] = [:]
    var waits: [Int: (FirestoreError?) -> Void] = [:]
    var observers: [Int: () -> Void] = [:]
    /// Calls that change the queue or the cache.
    var calls: [Int: (FirestoreError?) -> Void] = [:]
    var loads: [Int: (Result<BundleProgress, FirestoreError>) -> Void] = [:]

    mutating func tell(_ effect: SyncEffect) {
        switch effect {
        case .snapshot(let snapshot, let listener): listeners[listener]?(.snapshot(snapshot))
        case .listenerFailed(let error, let listener): listeners.removeValue(forKey: listener)?(.failed(error))
        case .snapshotsInSync(let observer): observers[observer]?()
        case .writeStored(let write):
            writes[write]?.isSettled = true
            writes[write]?.settled(nil)
        case .writeFinished(let error, let write): finish(write, error.map { FirestoreError($0) })
        case .pendingWritesFinished(let error, let wait):
            waits.removeValue(forKey: wait)?(error.map { FirestoreError($0) })
        case .callFinished(let error, let call): calls.removeValue(forKey: call)?(error.map { FirestoreError($0) })
        case .bundleProgress(let progress, let load):
            (progress.isComplete ? loads.removeValue(forKey: load) : loads[load])?(.success(progress))
        case .bundleFailed(let error, let load): loads.removeValue(forKey: load)?(.failure(FirestoreError(error)))
        default: break
        }
    }

    private mutating func finish(_ number: Int, _ error: FirestoreError?) {
        guard let write = writes.removeValue(forKey: number) else { return }
        if !write.isSettled { write.settled(error) }
        write.finished(error)
    }

    /// Tells everyone that nothing more will come.
    mutating func end() {
        for tell in listeners.values { tell(.ended) }
        listeners = [:]
        observers = [:]
        for number in writes.keys.sorted() { finish(number, .terminated) }
        for tell in waits.values { tell(.terminated) }
        waits = [:]
        for tell in calls.values { tell(.terminated) }
        calls = [:]
        for tell in loads.values { tell(.failure(.terminated)) }
        loads = [:]
    }
}

extension SyncClient {
    enum ListenerNews {
        case snapshot(ViewSnapshot)
        /// The last news.
        case failed(SyncError)
        /// The client has ended; the last news.
        case ended
    }

    func listen(
        to query: SyncQuery, _ options: ListenOptions, _ number: Int,
        _ tell: @escaping @Sendable (ListenerNews) -> Void
    ) {
        submit(.listen(query, options, listener: number)) { $0.listeners[number] = tell }
    }

    func removeListener(_ number: Int) {
        submit(.unlisten(listener: number)) { $0.listeners[number] = nil }
    }

    func write(
        _ writes: [DocumentModel.Write], settled: @escaping @Sendable (FirestoreError?) -> Void,
        finished: @escaping @Sendable (FirestoreError?) -> Void
    ) {
        let number = nextNumber()
        submit(.write(writes, write: number)) {
            $0.writes[number] = SyncWaiters.Write(settled: settled, finished: finished)
        }
    }

    /// - Returns: the number of the wait.
    func waitForPendingWrites(_ finished: @escaping @Sendable (FirestoreError?) -> Void) -> Int {
        let number = nextNumber()
        submit(.waitForPendingWrites(wait: number)) { $0.waits[number] = finished }
        return number
    }

    /// Forgets who waits. The machine goes on to count the wait, which costs it a number.
    func removeWait(_ number: Int) {
        queue.async { [self] in forgetWait(number) }
    }

    func loadBundle(
        _ bytes: [UInt8], _ tell: @escaping @Sendable (Result<BundleProgress, FirestoreError>) -> Void
    ) {
        let number = nextNumber()
        submit(.loadBundle(bytes, load: number)) { $0.loads[number] = tell }
    }

    func observeSnapshotsInSync(_ number: Int, _ body: @escaping @Sendable () -> Void) {
        submit(.observeSnapshotsInSync(observer: number)) { $0.observers[number] = body }
    }

    func endSnapshotsInSync(_ number: Int) {
        submit(.endSnapshotsInSync(observer: number)) { $0.observers[number] = nil }
    }
}

extension FirestoreError {
    static var terminated: FirestoreError {
        FirestoreError(
            .cancelled,
            "The database was terminated before the server answered. Queued writes are sent when it is opened again.")
    }

    package convenience init(_ error: SyncError) {
        self.init(FirestoreErrorCode.Code(error.code), error.message)
    }

    convenience init(_ error: ReplicaError) {
        self.init(.unavailable, error.message)
    }
}
