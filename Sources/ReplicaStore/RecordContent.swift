// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import SyncCore

/// What a record says. It is stored as a document is: with a checksum, a time and fields.
struct RecordContent {
    let fields: Fields
    /// The document record's update time.
    let version: Timestamp
    /// The document record's create time, which shadows have.
    let createTime: Timestamp

    init(_ bytes: [UInt8], key: [UInt8], _ database: DatabaseID) throws(ReplicaError) {
        do throws(StoredFormatError) {
            let stored = try StoredDocument(bytes.span.bytes, key: key.span.bytes, database: database)
            fields = try stored.fields()
            version = try stored.updateTime()
            createTime = try stored.createTime()
        } catch {
            throw .damaged("a record of the client's queue or cache: \(error.description)")
        }
    }

    static func bytes(of fields: Fields, version: Timestamp, key: [UInt8], _ database: DatabaseID) -> [UInt8] {
        StoredDocumentEncoder.record(
            of: fields, createTime: .noVersion, updateTime: version, key: key, database: database)
    }

    // MARK: Parts of keys

    static func number(_ member: [UInt8]) throws(ReplicaError) -> Int {
        let number = try stored { () throws(EngineError) in
            var offset = 0
            return try OrderedInteger.read(member.span.bytes, &offset)
        }
        guard let number = Int(exactly: number) else { throw .damaged("a number in a key is too great") }
        return number
    }

    /// The user with which a key's part begins, and where that ends.
    static func user(_ member: [UInt8]) throws(ReplicaError) -> (user: SyncUser, end: Int) {
        var reader = KeyReader(member.span.bytes)
        let value: Value
        do throws(StoredFormatError) { value = try reader.value() } catch { throw .damaged(error.description) }
        return (SyncUser(value == .null ? nil : try Fields([Field("user", value)])!.string("user")), reader.offset)
    }

    static func path(_ member: [UInt8], at offset: Int = 0) throws(ReplicaError) -> DocumentPath {
        var reader = KeyReader(member.span.bytes, at: offset)
        let path: ResourcePath
        do throws(StoredFormatError) { path = try reader.path() } catch { throw .damaged(error.description) }
        return try DocumentPath(checking: path)
    }

    /// The parts of a key that begins with the number of a use.
    static func use(_ member: [UInt8]) throws(ReplicaError) -> (sequence: Int, path: DocumentPath) {
        let sequence = try number(member)
        return (sequence, try path(member, at: RecordKey.number(sequence).count))
    }

    static func targetUse(_ member: [UInt8]) throws(ReplicaError) -> (sequence: Int, id: Int) {
        let sequence = try number(member)
        return (sequence, try number(Array(member[RecordKey.number(sequence).count...])))
    }
}

extension DocumentPath {
    init(checking path: ResourcePath) throws(ReplicaError) {
        guard !path.isEmpty, path.count.isMultiple(of: 2) else { throw .damaged("\(path) names no document") }
        self.init(path)
    }

    /// As a record holds it.
    func value(_ database: DatabaseID) -> Value { .reference(Reference(database: database, path: resource)) }
}

extension Fields {
    private func missing(_ name: Text) -> ReplicaError {
        .damaged("a record of the client's queue or cache lacks \(name)")
    }

    func integer(_ name: Text) throws(ReplicaError) -> Int {
        guard case .integer(let number)? = self[name] else { throw missing(name) }
        return Int(number)
    }

    func string(_ name: Text) throws(ReplicaError) -> String {
        guard case .string(let text)? = self[name] else { throw missing(name) }
        return text.string
    }

    func bytes(_ name: Text) throws(ReplicaError) -> [UInt8] {
        guard case .bytes(let bytes)? = self[name] else { throw missing(name) }
        return bytes
    }

    func timestamp(_ name: Text) throws(ReplicaError) -> Timestamp {
        guard case .timestamp(let time)? = self[name] else { throw missing(name) }
        return time
    }

    func map(_ name: Text) throws(ReplicaError) -> Fields {
        guard case .map(let fields)? = self[name] else { throw missing(name) }
        return fields
    }

    func array(_ name: Text) throws(ReplicaError) -> [Value] {
        guard case .array(let elements)? = self[name] else { throw missing(name) }
        return elements
    }

    func document(_ name: Text) throws(ReplicaError) -> DocumentPath {
        guard case .reference(let reference)? = self[name] else { throw missing(name) }
        return try DocumentPath(checking: reference.path)
    }

    func documents(_ name: Text) throws(ReplicaError) -> [DocumentPath] {
        try array(name).map { (value) throws(ReplicaError) in
            guard case .reference(let reference) = value else { throw missing(name) }
            return try DocumentPath(checking: reference.path)
        }
    }

    func fieldPaths(_ name: Text) throws(ReplicaError) -> [FieldPath] {
        try array(name).map { (value) throws(ReplicaError) in try FieldPath(value) }
    }
}

extension FieldPath {
    /// The names of the path.
    var value: Value { .array(segments.map { .string($0) }) }

    init(_ value: Value) throws(ReplicaError) {
        guard case .array(let names) = value, !names.isEmpty else {
            throw .damaged("a record of the client's queue or cache has a field path without names")
        }
        self.init(
            try names.map { (name) throws(ReplicaError) in
                guard case .string(let text) = name else { throw .damaged("a name of a field is no text") }
                return text
            })
    }
}
