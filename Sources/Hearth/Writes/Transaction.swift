// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import Foundation
internal import SyncCore

/// The reads and writes of one transaction; see `runTransaction` of ``Database``.
///
/// Reads come before writes. The writes are applied atomically when the block has ended, and only if no document that was
/// read has changed meanwhile. Use a transaction only in its block, on the thread that runs the block.
public final class Transaction {
    private let database: Database
    private let engine: Engine
    /// With a remote, everything is read from the server and committed there (W-28 and following).
    private let client: SyncClient?
    private let cancellation: Cancellation?
    /// The update times of the documents read; nil for missing ones (W-24).
    private var reads: [DocumentPath: DocumentModel.Timestamp?] = [:]
    private var writes: [Write] = []
    /// The first error of a write.
    private var error: FirestoreError?
    private var isFinished = false

    init(_ database: Database, _ engine: Engine, _ client: SyncClient?, _ cancellation: Cancellation?) {
        self.database = database
        self.engine = engine
        self.client = client
        self.cancellation = cancellation
    }

    /// Reads a document. If it does not exist, ``DocumentSnapshot/exists`` is false; that is not an error.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` after a write; `aborted` if the document has changed since an
    ///   earlier read.
    public func getDocument(_ document: DocumentReference) throws -> DocumentSnapshot {
        try checkUse()
        guard writes.isEmpty else {
            throw FirestoreError.invalidArgument(
                "Firestore transactions require all reads to be executed before all writes")
        }
        guard document.firestore === database else {
            throw FirestoreError.invalidArgument(
                "Provided document reference is from a different Cloud Firestore instance.")
        }
        let path = try document.own()
        let snapshot = try read(document, path)
        if let known = reads[path], known != snapshot.content.updateTime {
            throw FirestoreError(.aborted, "Document version changed between two reads.")
        }
        reads.updateValue(snapshot.content.updateTime, forKey: path)
        return snapshot
    }

    private func read(_ document: DocumentReference, _ path: DocumentPath) throws -> DocumentSnapshot {
        if let client {
            let found = try client.response(cancellation) { try await $0.documents(at: [path]) }
            guard let read = found.first else {
                throw FirestoreError(.internal, "The server has not answered a read of \(path).")
            }
            let synced = SyncedDocument(read, in: database, client.database, hasPendingWrites: false)
            return DocumentSnapshot(synced, isFromCache: false)
        }
        do throws(EngineError) {
            let check = database.check(get: path, isInTransaction: true)
            return DocumentSnapshot(document, try engine.record(path, if: check))
        } catch {
            throw FirestoreError(error)
        }
    }

    /// Adds the write of ``DocumentReference/setData(_:)`` to the transaction.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference) -> Transaction {
        add(.set(data), document)
    }

    /// Adds the write of ``DocumentReference/setData(_:merge:)`` to the transaction.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference, merge: Bool) -> Transaction {
        add(merge ? .merge(data) : .set(data), document)
    }

    /// Adds the write of ``DocumentReference/setData(_:mergeFields:)`` to the transaction.
    @discardableResult
    public func setData(
        _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
    ) -> Transaction {
        add(.mergeFields(data, mergeFields), document)
    }

    /// Adds the write of ``DocumentReference/updateData(_:)`` to the transaction. A document that was read and does not
    /// exist cannot be updated.
    @discardableResult
    public func updateData(_ fields: [AnyHashable: Any], forDocument document: DocumentReference) -> Transaction {
        add(.update(fields), document)
    }

    /// Adds the write of ``DocumentReference/delete()`` to the transaction.
    @discardableResult
    public func deleteDocument(_ document: DocumentReference) -> Transaction {
        add(.delete, document)
    }
}

// MARK: - Committing

extension Transaction {
    private func checkUse() throws(FirestoreError) {
        guard !isFinished else {
            throw FirestoreError(
                .failedPrecondition,
                "A transaction object cannot be used after its update callback has been invoked.")
        }
    }

    private func add(_ request: WriteRequest, _ document: DocumentReference) -> Transaction {
        do throws(FirestoreError) {
            try add(request.write(to: document, in: database))
        } catch {
            self.error = self.error ?? error
        }
        return self
    }

    /// Adds a write. Throws the errors that do not depend on stored data.
    func addValid(_ request: WriteRequest, _ document: DocumentReference) throws(FirestoreError) -> Transaction {
        try add(request.validWrite(to: document, in: database))
        return self
    }

    private func add(_ write: Write) throws(FirestoreError) {
        try checkUse()
        var write = write
        write.precondition = try precondition(of: write)
        writes.append(write)
    }

    /// The first write to a document that was read carries its version (W-26).
    private func precondition(of write: Write) throws(FirestoreError) -> Precondition? {
        guard let read = reads[write.path], !writes.contains(where: { $0.path == write.path }) else {
            return write.precondition
        }
        if read == nil, write.precondition != nil {
            throw .invalidArgument("Can't update a document that doesn't exist.")
        }
        return Transaction.precondition(read)
    }

    private static func precondition(_ read: DocumentModel.Timestamp?) -> Precondition {
        read.map { .updateTime($0) } ?? .exists(false)
    }

    /// Applies the writes if what was read is unchanged (W-27). Without writes, it only checks that all reads agree
    /// with one state, and does not wait for a writer.
    func commit() throws(FirestoreError) {
        isFinished = true
        if let error { throw error }
        guard client != nil || !writes.isEmpty else { return try requireOneState() }
        let written = Set(writes.map(\.path))
        var commit = writes
        for (path, read) in reads where !written.contains(path) {
            commit.append(Write(path, .verify, precondition: Transaction.precondition(read)))
        }
        if let client { return try send(commit, to: client) }
        do throws(EngineError) {
            _ = try engine.commit(commit, if: database.check(commit: commit, after: reads))
        } catch {
            throw FirestoreError(error)
        }
    }

    private func send(_ writes: [Write], to client: SyncClient) throws(FirestoreError) {
        guard !writes.isEmpty else { return }
        do {
            _ = try client.response(cancellation) { try await $0.commit(writes) }
        } catch {
            throw error as? FirestoreError ?? FirestoreError(.unknown, error.localizedDescription)
        }
    }

    private func requireOneState() throws(FirestoreError) {
        // A single document always agrees with itself.
        guard reads.count > 1 else { return }
        let isOneState: Bool
        do throws(EngineError) { isOneState = try engine.areCurrent(reads) } catch { throw FirestoreError(error) }
        // W-32.
        guard isOneState else {
            throw FirestoreError(.aborted, "Too much contention on these documents. Please try again.")
        }
    }
}
