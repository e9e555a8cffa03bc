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

    var document: Document? {
        switch self {
        case .missing: nil
        case .record(let record): try? record.document()
        case .document(let document): document
        }
    }

    var path: DocumentPath? {
        switch self {
        case .missing: nil
        case .record(let record): try? record.path()
        case .document(let document): document.path
        }
    }

    var id: Text? {
        switch self {
        case .missing: nil
        case .record(let record): try? record.id()
        case .document(let document): document.path.id
        }
    }

    var createTime: DocumentModel.Timestamp? {
        switch self {
        case .missing: nil
        case .record(let record): try? record.createTime()
        case .document(let document): document.createTime
        }
    }

    var updateTime: DocumentModel.Timestamp? {
        switch self {
        case .missing: nil
        case .record(let record): try? record.updateTime()
        case .document(let document): document.updateTime
        }
    }

    var fields: Fields? {
        switch self {
        case .missing: nil
        case .record(let record): try? record.fields()
        case .document(let document): document.fields
        }
    }

    func value(named name: String) -> Value? {
        switch self {
        case .missing: nil
        case .record(let record): try? record.value(named: name)
        case .document(let document): document.fields[Text(name)]
        }
    }

    // A field of a record, if it has this type. Borrowing, so that the record is not copied.

    borrowing func boolean(named name: String) throws -> Bool? {
        switch self {
        case .record(let record): try record.boolean(named: name)
        case .missing, .document: nil
        }
    }

    borrowing func integer(named name: String) throws -> Int64? {
        switch self {
        case .record(let record): try record.integer(named: name)
        case .missing, .document: nil
        }
    }

    borrowing func double(named name: String) throws -> Double? {
        switch self {
        case .record(let record): try record.double(named: name)
        case .missing, .document: nil
        }
    }

    borrowing func string(named name: String) throws -> String? {
        switch self {
        case .record(let record): try record.string(named: name)
        case .missing, .document: nil
        }
    }

    func value(at path: DocumentModel.FieldPath) -> Value? {
        switch self {
        case .missing: nil
        case .record(let record): try? record.value(at: path)
        case .document(let document): document.fields[path]
        }
    }
}
