// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel

/// Reads and writes of one transaction; see `runTransaction` of ``Database``.
///
/// Reads come before writes. Writes happen when the block has ended, all or none, and only if no document that was read has
/// changed meanwhile. A transaction is used by the thread that runs its block, and not after it.
public final class Transaction {
    private let database: Database
    private let engine: Engine
    /// When the documents read were last changed; nil for missing ones (W-24).
    private var reads: [DocumentPath: DocumentModel.Timestamp?] = [:]
    private var writes: [Write] = []
    /// What was wrong with a write.
    private var error: FirestoreError?
    private var isFinished = false

    init(_ database: Database, _ engine: Engine) {
        self.database = database
        self.engine = engine
    }

    /// Reads a document. A missing one is no error: ``DocumentSnapshot/exists`` is false then.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` after a write (W-25); `aborted` where the document has changed since it
    ///   was read before (W-27).
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
        let stored: Document?
        do throws(EngineError) { stored = try engine.document(path) } catch { throw FirestoreError(error) }
        if let known = reads[path], known != stored?.updateTime {
            throw FirestoreError(.aborted, "Document version changed between two reads.")
        }
        reads.updateValue(stored?.updateTime, forKey: path)
        return DocumentSnapshot(document, stored)
    }

    /// ``DocumentReference/setData(_:)`` as a part of the transaction.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference) -> Transaction {
        add(.set(data), document)
    }

    /// ``DocumentReference/setData(_:merge:)`` as a part of the transaction.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference, merge: Bool) -> Transaction {
        add(merge ? .merge(data) : .set(data), document)
    }

    /// ``DocumentReference/setData(_:mergeFields:)`` as a part of the transaction.
    @discardableResult
    public func setData(
        _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
    ) -> Transaction {
        add(.mergeFields(data, mergeFields), document)
    }

    /// ``DocumentReference/updateData(_:)`` as a part of the transaction. A document that was read as missing cannot be
    /// updated (W-26).
    @discardableResult
    public func updateData(_ fields: [AnyHashable: Any], forDocument document: DocumentReference) -> Transaction {
        add(.update(fields), document)
    }

    /// ``DocumentReference/delete()`` as a part of the transaction.
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

    /// Throws what is wrong with the write whatever is stored, and adds it otherwise.
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

    /// Applies the writes, if what was read still stands (W-27). Without writes it only makes sure that everything read was so
    /// at one time, and no writer is waited for.
    func commit() throws(FirestoreError) {
        isFinished = true
        if let error { throw error }
        guard !writes.isEmpty else { return try requireOneState() }
        let written = Set(writes.map(\.path))
        var commit = writes
        for (path, read) in reads where !written.contains(path) {
            commit.append(Write(path, .verify, precondition: Transaction.precondition(read)))
        }
        do throws(EngineError) {
            _ = try engine.commit(commit)
        } catch {
            throw FirestoreError(error)
        }
    }

    private func requireOneState() throws(FirestoreError) {
        // One document is always in agreement with itself.
        guard reads.count > 1 else { return }
        let isOneState: Bool
        do throws(EngineError) { isOneState = try engine.areCurrent(reads) } catch { throw FirestoreError(error) }
        // W-32.
        guard isOneState else {
            throw FirestoreError(.aborted, "Too much contention on these documents. Please try again.")
        }
    }
}
