// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import SyncCore

extension RejectedBatch {
    func fields(_ database: DatabaseID) -> Fields {
        var fields = batch.fields(database)
        fields["code"] = .integer(Int64(cause.code.rawValue))
        fields["message"] = .string(Text(cause.message))
        fields["rejectTime"] = .timestamp(time)
        return fields
    }

    init(_ id: Int, _ content: RecordContent) throws(ReplicaError) {
        let number = try content.fields.integer("code")
        guard let code = StatusCode(rawValue: number) else {
            throw .damaged("a rejected write has an unknown cause, \(number)")
        }
        self.init(
            batch: try MutationBatch(id, content), cause: SyncError(code, try content.fields.string("message")),
            time: try content.fields.timestamp("rejectTime"))
    }
}

extension MutationBatch {
    /// - Parameter database: the one whose documents the writes name.
    func fields(_ database: DatabaseID) -> Fields {
        var fields = Fields.empty
        fields["time"] = .timestamp(localWriteTime)
        fields["baseWrites"] = .array(baseWrites.map { .map($0.fields(database)) })
        fields["writes"] = .array(writes.map { .map($0.fields(database)) })
        if attempts > 0 { fields["attempts"] = .integer(Int64(attempts)) }
        if let marker { fields["marker"] = marker.value(database) }
        if !spentMarkers.isEmpty { fields["spentMarkers"] = .array(spentMarkers.map { $0.value(database) }) }
        return fields
    }

    init(_ id: Int, _ content: RecordContent) throws(ReplicaError) {
        self.init(
            id: id, localWriteTime: try content.fields.timestamp("time"),
            baseWrites: try content.fields.writes("baseWrites"), writes: try content.fields.writes("writes"),
            attempts: content.fields["attempts"] == nil ? 0 : try content.fields.integer("attempts"),
            marker: content.fields["marker"] == nil ? nil : try content.fields.document("marker"),
            spentMarkers: content.fields["spentMarkers"] == nil ? [] : try content.fields.documents("spentMarkers"))
    }
}

extension Fields {
    fileprivate func writes(_ name: Text) throws(ReplicaError) -> [Write] {
        try array(name).map { (value) throws(ReplicaError) in
            guard case .map(let fields) = value else { throw .damaged("a queued write is no map") }
            return try Write(fields)
        }
    }
}

extension Write {
    fileprivate func fields(_ database: DatabaseID) -> Fields {
        var fields = Fields.empty
        fields["path"] = path.value(database)
        switch precondition {
        case nil: break
        case .exists(let exists): fields["exists"] = .boolean(exists)
        case .updateTime(let time): fields["updateTime"] = .timestamp(time)
        }
        switch operation {
        case .delete: fields["kind"] = .string("delete")
        case .verify: fields["kind"] = .string("verify")
        case .update(let content, let mask, let transforms):
            fields["kind"] = .string("update")
            fields["fields"] = .map(content)
            if let mask { fields["mask"] = .array(mask.map(\.value)) }
            fields["transforms"] = .array(transforms.map { .map($0.fields) })
        }
        return fields
    }

    fileprivate init(_ fields: Fields) throws(ReplicaError) {
        let operation: Operation =
            switch try fields.string("kind") {
            case "delete": .delete
            case "verify": .verify
            case "update":
                .update(
                    try fields.map("fields"), mask: fields["mask"] == nil ? nil : try fields.fieldPaths("mask"),
                    transforms: try fields.transforms())
            case let other: throw .damaged("a queued write has an unknown kind, \(other)")
            }
        var precondition: Precondition?
        if case .boolean(let exists)? = fields["exists"] { precondition = .exists(exists) }
        if case .timestamp(let time)? = fields["updateTime"] { precondition = .updateTime(time) }
        self.init(try fields.document("path"), operation, precondition: precondition)
    }
}

extension Fields {
    fileprivate func transforms() throws(ReplicaError) -> [FieldTransform] {
        try array("transforms").map { (value) throws(ReplicaError) in
            guard case .map(let fields) = value else { throw .damaged("a queued transform is no map") }
            return try FieldTransform(fields)
        }
    }
}

extension FieldTransform {
    fileprivate var fields: Fields {
        let (kind, operand): (Text, Value) =
            switch operation {
            case .serverTimestamp: ("serverTimestamp", .null)
            case .increment(let value): ("increment", value)
            case .maximum(let value): ("maximum", value)
            case .minimum(let value): ("minimum", value)
            case .appendMissingElements(let values): ("appendMissingElements", .array(values))
            case .removeAllFromArray(let values): ("removeAllFromArray", .array(values))
            }
        var fields = Fields.empty
        fields["path"] = path.value
        fields["kind"] = .string(kind)
        fields["operand"] = operand
        return fields
    }

    fileprivate init(_ fields: Fields) throws(ReplicaError) {
        let operand = fields["operand"] ?? .null
        let operation: Operation =
            switch try fields.string("kind") {
            case "serverTimestamp": .serverTimestamp
            case "increment": .increment(operand)
            case "maximum": .maximum(operand)
            case "minimum": .minimum(operand)
            case "appendMissingElements": .appendMissingElements(try fields.array("operand"))
            case "removeAllFromArray": .removeAllFromArray(try fields.array("operand"))
            case let other: throw .damaged("a queued transform has an unknown kind, \(other)")
            }
        self.init(try FieldPath(fields["path"] ?? .null), operation)
    }
}
