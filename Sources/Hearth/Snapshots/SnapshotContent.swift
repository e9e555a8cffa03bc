// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What a snapshot has of its document.
///
/// A record's checksum was compared when it was read, so its bytes are those that a database wrote, and reading a field of it
/// does not fail.
enum SnapshotContent: Sendable {
    case missing
    /// As it is stored: fields are read when they are asked for.
    case record(DocumentRecord)
    case document(Document)

    var document: Document? { read({ try $0.document() }, { $0 }) }
    var path: DocumentPath? { read({ try $0.path() }, { $0.path }) }
    var id: Text? { read({ try $0.id() }, { $0.path.id }) }
    var createTime: DocumentModel.Timestamp? { read({ try $0.createTime() }, { $0.createTime }) }
    var updateTime: DocumentModel.Timestamp? { read({ try $0.updateTime() }, { $0.updateTime }) }
    var fields: Fields? { read({ try $0.fields() }, { $0.fields }) }

    func value(named name: String) -> Value? {
        read({ try $0.root.value(named: name) }, { $0.fields[Text(name)] })
    }

    func value(at path: DocumentModel.FieldPath) -> Value? {
        read({ try $0.root.value(at: path) }, { $0.fields[path] })
    }

    // A field of a record, if it has this type.

    borrowing func boolean(named name: String) throws -> Bool? { try withRecord { try $0.root.boolean(named: name) } }
    borrowing func integer(named name: String) throws -> Int64? { try withRecord { try $0.root.integer(named: name) } }
    borrowing func double(named name: String) throws -> Double? { try withRecord { try $0.root.double(named: name) } }
    borrowing func string(named name: String) throws -> String? { try withRecord { try $0.root.string(named: name) } }

    private func read<R>(_ record: (DocumentRecord) throws -> R?, _ document: (Document) -> R?) -> R? {
        switch self {
        case .missing: nil
        case .record(let stored): try? record(stored)
        case .document(let made): document(made)
        }
    }

    /// Borrowing, so that the record is not copied.
    private borrowing func withRecord<R>(_ body: (DocumentRecord) throws -> R?) throws -> R? {
        switch self {
        case .record(let record): try body(record)
        case .missing, .document: nil
        }
    }
}
