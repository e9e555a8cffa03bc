// SPDX-License-Identifier: Apache-2.0

/// What a write waits for in a database with a remote. In a database without one, both mean the commit.
public enum WriteMilestone: Sendable, Hashable {
    /// The write is in the local database: listeners and reads see it, and it is sent as soon as the server can be
    /// reached, also after a restart. It is as durable as ``FirestoreSettings/durability`` says.
    ///
    /// The server may refuse it later. Then the documents are as before, and the failure is logged.
    case stored
    /// The server has committed the write or refused it. While the server cannot be reached, that does not happen.
    case acknowledged
}

extension DocumentReference {
    /// Writes the document as ``setData(_:)`` does, and waits until the milestone.
    ///
    /// ```swift
    /// try await city.setData(["name": "Tokyo"], until: .stored)
    /// ```
    public nonisolated(nonsending) func setData(
        _ documentData: [String: Any], merge: Bool = false, until milestone: WriteMilestone
    ) async throws {
        try await write(merge ? .merge(documentData) : .set(documentData), until: milestone)
    }

    /// Changes fields as ``updateData(_:)`` does, and waits until the milestone.
    public nonisolated(nonsending) func updateData(
        _ fields: [AnyHashable: Any], until milestone: WriteMilestone
    ) async throws {
        try await write(.update(fields), until: milestone)
    }

    /// Deletes the document as ``delete()`` does, and waits until the milestone.
    public nonisolated(nonsending) func delete(until milestone: WriteMilestone) async throws {
        try await write(.delete, until: milestone)
    }
}

extension WriteBatch {
    /// Applies the writes as ``commit()`` does, and waits until the milestone.
    public nonisolated(nonsending) func commit(until milestone: WriteMilestone) async throws {
        try await commitJob(until: milestone).value()
    }
}

extension BlockingAPI where Base == DocumentReference {
    /// The blocking form of ``DocumentReference/setData(_:merge:until:)``.
    public func setData(_ documentData: [String: Any], merge: Bool = false, until milestone: WriteMilestone) throws {
        try base.writeJob(merge ? .merge(documentData) : .set(documentData), until: milestone).wait()
    }

    /// The blocking form of ``DocumentReference/updateData(_:until:)``.
    public func updateData(_ fields: [AnyHashable: Any], until milestone: WriteMilestone) throws {
        try base.writeJob(.update(fields), until: milestone).wait()
    }

    /// The blocking form of ``DocumentReference/delete(until:)``.
    public func delete(until milestone: WriteMilestone) throws {
        try base.writeJob(.delete, until: milestone).wait()
    }
}

extension BlockingAPI where Base == WriteBatch {
    /// The blocking form of ``WriteBatch/commit(until:)``.
    public func commit(until milestone: WriteMilestone) throws {
        try base.commitJob(until: milestone).wait()
    }
}
