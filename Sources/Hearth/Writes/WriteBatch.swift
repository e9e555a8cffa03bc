// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import Synchronization

extension Database {
    /// Creates an empty batch of writes.
    public func batch() -> WriteBatch { WriteBatch(self) }
}

/// Several writes that are applied in order and atomically.
///
/// ```swift
/// let batch = database.batch()
/// batch.setData(["name": "New York City"], forDocument: database.document("cities/NYC"))
/// batch.deleteDocument(database.document("cities/LA"))
/// try await batch.commit()
/// ```
///
/// Nothing is written before the commit, which also throws the errors of the writes. A batch can be committed once.
public final class WriteBatch: Sendable, BlockingAPIProviding {
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

    /// Adds the write of ``DocumentReference/setData(_:)`` to the batch.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference) -> WriteBatch {
        add(.set(data), document)
    }

    /// Adds the write of ``DocumentReference/setData(_:merge:)`` to the batch.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference, merge: Bool) -> WriteBatch {
        add(merge ? .merge(data) : .set(data), document)
    }

    /// Adds the write of ``DocumentReference/setData(_:mergeFields:)`` to the batch.
    @discardableResult
    public func setData(
        _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
    ) -> WriteBatch {
        add(.mergeFields(data, mergeFields), document)
    }

    /// Adds the write of ``DocumentReference/updateData(_:)`` to the batch. The whole batch fails if the document does
    /// not exist, unless the batch creates it first.
    @discardableResult
    public func updateData(_ fields: [AnyHashable: Any], forDocument document: DocumentReference) -> WriteBatch {
        add(.update(fields), document)
    }

    /// Adds the write of ``DocumentReference/delete()`` to the batch.
    @discardableResult
    public func deleteDocument(_ document: DocumentReference) -> WriteBatch {
        add(.delete, document)
    }

    /// Applies the writes atomically, and waits for the commit.
    ///
    /// - Throws: ``FirestoreError``: the error of the first write that failed; `failedPrecondition` if the batch was
    ///   committed before.
    public nonisolated(nonsending) func commit() async throws {
        try await commitJob().value()
    }

    /// Applies the writes atomically, without waiting. The callback is called as in
    /// ``DocumentReference/setData(_:completion:)``.
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

    /// Adds a write. Throws the errors that do not depend on stored data.
    func addValid(_ request: WriteRequest, _ document: DocumentReference) throws(FirestoreError) -> WriteBatch {
        let write = try request.validWrite(to: document, in: database)
        state.withLock { $0.writes.append(write) }
        return self
    }

    func commitJob(until milestone: WriteMilestone = .acknowledged) -> WriteJob {
        WriteJob(database, Result(deferring: { () throws(FirestoreError) in try take() }), until: milestone)
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

extension BlockingAPI where Base == WriteBatch {
    /// The blocking form of ``WriteBatch/commit()``.
    public func commit() throws {
        try base.commitJob().wait()
    }
}
