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

    func value(named name: String) -> Value? {
        read { try $0.root.value(named: name) }
    }

    func value(at path: DocumentModel.FieldPath) -> Value? {
        read { try $0.root.value(at: path) }
    }

    // A field of a record; nil if it has another type.

    borrowing func boolean(named name: String) throws -> Bool? { try withRecord { try $0.root.boolean(named: name) } }
    borrowing func integer(named name: String) throws -> Int64? { try withRecord { try $0.root.integer(named: name) } }
    borrowing func double(named name: String) throws -> Double? { try withRecord { try $0.root.double(named: name) } }
    borrowing func string(named name: String) throws -> String? { try withRecord { try $0.root.string(named: name) } }

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
