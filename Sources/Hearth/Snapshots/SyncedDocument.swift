// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import SyncCore

/// What the client of a database with a remote shows of a document. Snapshots that differ in nothing but
/// ``SnapshotMetadata/isFromCache`` share it.
final class SyncedDocument: Sendable {
    let reference: DocumentReference
    /// Nil if the document does not exist.
    let record: DocumentRecord?
    let hasPendingWrites: Bool

    init(_ reference: DocumentReference, _ record: DocumentRecord?, hasPendingWrites: Bool) {
        self.reference = reference
        self.record = record
        self.hasPendingWrites = hasPendingWrites
    }

    convenience init(
        _ document: SyncDocument, in firestore: Database, _ identity: DatabaseID, hasPendingWrites: Bool
    ) {
        let record = document.fields.map { fields in
            DocumentRecord(
                Document(
                    path: document.path, fields: fields, createTime: document.createTime,
                    updateTime: document.version), database: identity)
        }
        self.init(DocumentReference(firestore, document.path), record, hasPendingWrites: hasPendingWrites)
    }
}

extension DocumentSnapshot {
    /// Whether both show the same state of one document.
    func isSameState(as other: DocumentSnapshot?) -> Bool {
        self === other || synced != nil && synced === other?.synced
    }

    /// Whether a client shows the same data in both, be its writes pending or not.
    func hasSameSyncedData(as other: DocumentSnapshot) -> Bool {
        guard synced != nil, let own = content.fields, let others = other.content.fields else { return false }
        return own.isIdentical(to: others)
    }

    // MARK: Server timestamps that are pending

    /// A value of the document, as the program sees it.
    func shown(_ value: StoredValue, _ behavior: ServerTimestampBehavior) throws -> StoredValue {
        guard hasPendingWrites else { return value }
        return StoredValue(try value.value().shown(behavior), database: value.database)
    }

    /// A time that the server has given.
    func shown(_ time: DocumentModel.Timestamp) -> Timestamp? {
        synced != nil && time == .noVersion ? nil : Timestamp(time)
    }
}

extension Value {
    fileprivate func shown(_ behavior: ServerTimestampBehavior) -> Value {
        guard case .map(let fields) = self else { return self }
        guard let writeTime = PendingTimestamp.writeTime(of: self) else { return .map(fields.shown(behavior)) }
        return switch behavior {
        case .none: .null
        case .estimate: .timestamp(writeTime)
        case .previous: PendingTimestamp.previousValue(of: self) ?? .null
        }
    }
}

extension Fields {
    func shown(_ behavior: ServerTimestampBehavior) -> Fields {
        Fields(sorted: map { Field($0.name, $0.value.shown(behavior)) })
    }
}
