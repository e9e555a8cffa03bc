// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import Synchronization

extension Database {
    /// An empty batch: several writes that happen together.
    public func batch() -> WriteBatch { WriteBatch(self) }
}

/// Several writes that are applied in order, all or none (W-33).
///
/// ```swift
/// let batch = database.batch()
/// batch.setData(["name": "New York City"], forDocument: database.document("cities/NYC"))
/// batch.deleteDocument(database.document("cities/LA"))
/// try await batch.commit()
/// ```
///
/// Nothing is written before the commit, and what is wrong with a write is thrown by it. A batch is committed once.
public final class WriteBatch: Sendable, SynchronousForms {
    private struct State {
        var writes: [Write] = []
        var error: FirestoreError?
        var isCommitted = false
    }

    private let database: Database
    private let state = Mutex(State())

    init(_ database: Database) {
        self.database = database
    }

    /// ``DocumentReference/setData(_:)`` as a part of the batch.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference) -> WriteBatch {
        add(.set(data), document)
    }

    /// ``DocumentReference/setData(_:merge:)`` as a part of the batch.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference, merge: Bool) -> WriteBatch {
        add(merge ? .merge(data) : .set(data), document)
    }

    /// ``DocumentReference/setData(_:mergeFields:)`` as a part of the batch.
    @discardableResult
    public func setData(
        _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
    ) -> WriteBatch {
        add(.mergeFields(data, mergeFields), document)
    }

    /// ``DocumentReference/updateData(_:)`` as a part of the batch: that the document is missing fails the whole batch, unless
    /// the batch makes it before.
    @discardableResult
    public func updateData(_ fields: [AnyHashable: Any], forDocument document: DocumentReference) -> WriteBatch {
        add(.update(fields), document)
    }

    /// ``DocumentReference/delete()`` as a part of the batch.
    @discardableResult
    public func deleteDocument(_ document: DocumentReference) -> WriteBatch {
        add(.delete, document)
    }

    /// Applies the writes.
    ///
    /// - Throws: ``FirestoreError``: of the first write that failed, as the single writes throw it; `failedPrecondition` for a
    ///   batch that was committed before.
    public nonisolated(nonsending) func commit() async throws {
        try await commitJob().value()
    }

    /// The same without waiting; see ``DocumentReference/setData(_:completion:)``.
    public func commit(completion: (((any Error)?) -> Void)? = nil) {
        commitJob().start(completion, describedAs: "Write of a batch")
    }

    private func add(_ request: WriteRequest, _ document: DocumentReference) -> WriteBatch {
        let write = Result(deferring: { () throws(FirestoreError) in try request.write(to: document, in: database) })
        state.withLock { state in
            switch write {
            case .success(let write): state.writes.append(write)
            case .failure(let error): state.error = state.error ?? error
            }
        }
        return self
    }

    /// Throws what is wrong with the write whatever is stored, and adds it otherwise.
    func addValid(_ request: WriteRequest, _ document: DocumentReference) throws(FirestoreError) -> WriteBatch {
        let write = try request.validWrite(to: document, in: database)
        state.withLock { $0.writes.append(write) }
        return self
    }

    fileprivate func commitJob() -> WriteJob {
        WriteJob(database, Result(deferring: { () throws(FirestoreError) in try take() }))
    }

    private func take() throws(FirestoreError) -> [Write] {
        try state.withLock { (state) throws(FirestoreError) in
            guard !state.isCommitted else {
                throw FirestoreError(
                    .failedPrecondition, "A write batch can no longer be used after commit has been called.")
            }
            state.isCommitted = true
            if let error = state.error { throw error }
            return state.writes
        }
    }
}

extension Synchronous where Base == WriteBatch {
    /// ``WriteBatch/commit()``, blocking.
    public func commit() throws {
        try base.commitJob().wait()
    }
}
