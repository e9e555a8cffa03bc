// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner
internal import SyncCore

extension ReplicaHeader {
    func fields(_ database: DatabaseID) -> Fields {
        var fields = Fields.empty
        fields["user"] = user.value
        fields["snapshotVersion"] = .timestamp(lastSnapshotVersion)
        fields["target"] = .integer(Int64(highestTarget))
        fields["batch"] = .integer(Int64(highestBatch))
        fields["sequence"] = .integer(Int64(highestSequence))
        if let unclaimedFrom { fields["unclaimedFrom"] = .integer(Int64(unclaimedFrom)) }
        if isDamaged { fields["isDamaged"] = .boolean(true) }
        if let whole {
            fields["wholeVersion"] = .timestamp(whole.version)
            if whole.hasChanged { fields["hasChanged"] = .boolean(true) }
        }
        if !spentMarkers.isEmpty { fields["spentMarkers"] = .array(spentMarkers.map { $0.value(database) }) }
        return fields
    }

    init(_ content: RecordContent) throws(ReplicaError) {
        let fields = content.fields
        self.init(
            user: SyncUser(fields["user"] == .null ? nil : try fields.string("user")),
            lastSnapshotVersion: try fields.timestamp("snapshotVersion"), highestTarget: try fields.integer("target"),
            highestBatch: try fields.integer("batch"), highestSequence: try fields.integer("sequence"))
        if fields["unclaimedFrom"] != nil { unclaimedFrom = try fields.integer("unclaimedFrom") }
        isDamaged = fields["isDamaged"] != nil
        if fields["wholeVersion"] != nil {
            whole = WholeState(at: try fields.timestamp("wholeVersion"), hasChanged: fields["hasChanged"] != nil)
        }
        guard fields["spentMarkers"] != nil else { return }
        spentMarkers = try fields.array("spentMarkers").map { (value) throws(ReplicaError) in try CommitMarker(value) }
    }
}

extension CommitMarker {
    fileprivate func value(_ database: DatabaseID) -> Value {
        .map(Fields([Field("path", path.value(database)), Field("user", user.value)])!)
    }

    fileprivate init(_ value: Value) throws(ReplicaError) {
        guard case .map(let fields) = value else { throw .damaged("a marker of a commit is no map") }
        self.init(
            try fields.document("path"), of: SyncUser(fields["user"] == .null ? nil : try fields.string("user")))
    }
}

extension TargetData {
    /// The snapshot version goes beside the fields.
    func fields(_ database: DatabaseID) -> Fields {
        var fields = Fields.empty
        switch target.kind {
        case .document(let path):
            fields["document"] = .reference(Reference(database: database, path: path.resource))
        case .query(let query): fields["query"] = .string(Text(query.json(database)))
        case .bundle(let id): fields["bundle"] = .string(Text(id))
        }
        fields["canonicalID"] = .string(Text(target.canonicalID))
        fields["sequence"] = .integer(Int64(sequence))
        fields["resumeToken"] = .bytes(resumeToken)
        if completeVersion > .noVersion { fields["completeVersion"] = .timestamp(completeVersion) }
        if isPinned { fields["isPinned"] = .boolean(true) }
        if session > 0 { fields["session"] = .integer(Int64(session)) }
        return fields
    }

    init(_ id: Int, _ content: RecordContent, _ database: DatabaseID) throws(ReplicaError) {
        let fields = content.fields
        let kind: SyncTarget.Kind =
            if fields["document"] != nil {
                .document(try fields.document("document"))
            } else if fields["query"] != nil {
                .query(try Query(json: fields.string("query"), database))
            } else {
                .bundle(try fields.string("bundle"))
            }
        self.init(
            SyncTarget(kind, canonicalID: try fields.string("canonicalID")), id: id,
            sequence: try fields.integer("sequence"), snapshotVersion: content.version,
            resumeToken: try fields.bytes("resumeToken"),
            completeVersion: fields["completeVersion"] == nil ? .noVersion : try fields.timestamp("completeVersion"),
            isPinned: fields["isPinned"] != nil,
            session: fields["session"] == nil ? 0 : try fields.integer("session"))
    }
}

extension RecordContent {
    /// A target's sequence.
    func lastUse() throws(ReplicaError) -> Int { try fields.integer("sequence") }
}

extension SyncQuery {
    func fields(_ database: DatabaseID) -> Fields {
        var fields = Fields.empty
        switch kind {
        case .document(let path):
            fields["document"] = .reference(Reference(database: database, path: path.resource))
        case .rows(let matcher): fields["query"] = .string(Text(matcher.query.query.json(database)))
        }
        return fields
    }

    init(_ fields: Fields, _ database: DatabaseID) throws(ReplicaError) {
        guard fields["document"] == nil else {
            self.init(document: try fields.document("document"))
            return
        }
        let query = try Query(json: fields.string("query"), database)
        do throws(InvalidQueryError) {
            try self.init(query, database: database)
        } catch {
            throw .damaged("a stored query is invalid: \(error)")
        }
    }
}

extension Query {
    fileprivate func json(_ database: DatabaseID) -> String {
        var writer = JSONWriter()
        QueryJSON.write(.documents(self), to: &writer, database: database)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    fileprivate init(json: String, _ database: DatabaseID) throws(ReplicaError) {
        do {
            let request = try QueryJSON.read(JSONParser.parse(Array(json.utf8)), database: database)
            guard case .documents(let query) = request else {
                throw ReplicaError.damaged("a stored query is an aggregation")
            }
            self = query
        } catch let error as ReplicaError {
            throw error
        } catch {
            throw .damaged("a stored query cannot be read: \(error)")
        }
    }
}
