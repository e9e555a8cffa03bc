// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import SyncCore

/// A shadow: what the server said of a document that the program sees otherwise, or that it does not see.
extension CachedDocument {
    /// Nil if the stored document says all, or if nothing is known. The server's version goes beside the fields.
    var shadow: Fields? {
        guard !isPlain || base.version == .noVersion, base.isCached || overlay != nil else { return nil }
        var fields = Fields.empty
        switch base.contents {
        case .uncached: fields["base"] = .string("uncached")
        case .missing: fields["base"] = .string("missing")
        case .unreadable: fields["base"] = .string("unreadable")
        case .found(let content, let createTime):
            fields["base"] = .string("found")
            fields["fields"] = .map(content)
            fields["createTime"] = .timestamp(createTime)
            if base.isPart { fields["isPart"] = .boolean(true) }
        }
        if base.hasCommittedMutations { fields["isCommitted"] = .boolean(true) }
        if let overlay { fields["overlay"] = .map(overlay.fields) }
        return fields
    }

    init(_ path: DocumentPath, _ shadow: RecordContent) throws(ReplicaError) {
        let fields = shadow.fields
        let contents: SyncDocument.Contents =
            switch try fields.string("base") {
            case "uncached": .uncached
            case "missing": .missing
            case "unreadable": .unreadable
            case "found": .found(try fields.map("fields"), createTime: try fields.timestamp("createTime"))
            case let other: throw .damaged("\(path) has an unknown state, \(other)")
            }
        var overlay: Overlay?
        if fields["overlay"] != nil { overlay = try Overlay(fields.map("overlay")) }
        self.init(
            base: SyncDocument(
                path, contents, version: shadow.version, hasCommittedMutations: fields["isCommitted"] != nil),
            overlay: overlay)
        base.isPart = fields["isPart"] != nil
    }
}

extension Overlay {
    fileprivate var fields: Fields {
        var fields = Fields.empty
        fields["batch"] = .integer(Int64(batch))
        if let lastIncrement { fields["increment"] = .integer(Int64(lastIncrement)) }
        switch change {
        case .set(let content):
            fields["kind"] = .string("set")
            fields["fields"] = .map(content)
        case .patch(let content, let mask):
            fields["kind"] = .string("patch")
            fields["fields"] = .map(content)
            fields["mask"] = .array(mask.map(\.value))
            if let writes { fields["writes"] = .array(writes.map(\.value)) }
        case .delete: fields["kind"] = .string("delete")
        }
        return fields
    }

    fileprivate init(_ fields: Fields) throws(ReplicaError) {
        let change: Change =
            switch try fields.string("kind") {
            case "set": .set(try fields.map("fields"))
            case "patch": .patch(try fields.map("fields"), mask: try fields.fieldPaths("mask"))
            case "delete": .delete
            case let other: throw .damaged("an overlay has an unknown kind, \(other)")
            }
        self.init(
            change, batch: try fields.integer("batch"), writes: try Overlay.writes(in: fields, of: change),
            lastIncrement: fields["increment"] == nil ? nil : try fields.integer("increment"))
    }

    private static func writes(in fields: Fields, of change: Change) throws(ReplicaError) -> [FieldWrites]? {
        guard fields["writes"] != nil else { return nil }
        let writes = try fields.array("writes").map { (value) throws(ReplicaError) in try FieldWrites(value) }
        guard case .patch(_, let mask) = change, mask.count == writes.count else {
            throw .damaged("an overlay does not tell of all its fields what writes them")
        }
        return writes
    }
}

extension FieldWrites {
    fileprivate var value: Value {
        .array([.integer(Int64(count)), .integer(Int64(settled)), .integer(Int64(rest.rawValue))])
    }

    fileprivate init(_ value: Value) throws(ReplicaError) {
        guard case .array(let numbers) = value, numbers.count == 3, case .integer(let count) = numbers[0],
            case .integer(let settled) = numbers[1], case .integer(let number) = numbers[2],
            let rest = Rest(rawValue: Int(number))
        else { throw .damaged("an overlay has a field whose writes cannot be read") }
        self.init(count: Int(count), settled: Int(settled), rest: rest)
    }
}
