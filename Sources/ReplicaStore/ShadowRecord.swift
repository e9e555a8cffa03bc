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
        switch change {
        case .set(let content):
            fields["kind"] = .string("set")
            fields["fields"] = .map(content)
        case .patch(let content, let mask):
            fields["kind"] = .string("patch")
            fields["fields"] = .map(content)
            fields["mask"] = .array(mask.map(\.value))
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
        self.init(change, batch: try fields.integer("batch"))
    }
}
