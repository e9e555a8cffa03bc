// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The contents of a snapshot's document.
///
/// A record's checksum was verified when it was read, so its bytes are those that a database wrote, and reading a field
/// does not fail.
enum SnapshotContent: Sendable {
    case missing
    /// The stored record, whose fields are decoded on demand.
    case record(DocumentRecord)

    init(_ record: DocumentRecord?) {
        self = record.map { .record($0) } ?? .missing
    }

    var record: DocumentRecord? { if case .record(let record) = self { record } else { nil } }

    var document: Document? { read { try $0.document() } }
    var path: DocumentPath? { read { try $0.path() } }
    var id: Text? { read { try $0.id() } }
    var createTime: DocumentModel.Timestamp? { read { try $0.createTime() } }
    var updateTime: DocumentModel.Timestamp? { read { try $0.updateTime() } }
    var fields: Fields? { read { try $0.fields() } }

    borrowing func field(at dotted: String) -> StoredValue? {
        try? withRecord { try $0.root.field(at: dotted) }
    }

    borrowing func field(at path: DocumentModel.FieldPath) -> StoredValue? {
        try? withRecord { try $0.root.field(at: path) }
    }

    // A field of a record; nil if it has another type.

    borrowing func boolean(at dotted: String) throws -> Bool? { try withRecord { try $0.root.boolean(at: dotted) } }
    borrowing func integer(at dotted: String) throws -> Int64? { try withRecord { try $0.root.integer(at: dotted) } }
    borrowing func double(at dotted: String) throws -> Double? { try withRecord { try $0.root.double(at: dotted) } }
    borrowing func string(at dotted: String) throws -> String? { try withRecord { try $0.root.string(at: dotted) } }

    private func read<R>(_ body: (DocumentRecord) throws -> R?) -> R? {
        switch self {
        case .missing: nil
        case .record(let record): try? body(record)
        }
    }

    /// Borrowing, so that the record is not copied.
    private borrowing func withRecord<R>(_ body: (DocumentRecord) throws -> R?) throws -> R? {
        switch self {
        case .record(let record): try body(record)
        case .missing: nil
        }
    }
}
