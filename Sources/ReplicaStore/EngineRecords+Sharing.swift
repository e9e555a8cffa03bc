// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import SyncCore

// What clients leave each other in the file: a log of the last transactions, and guests' requests.
extension EngineRecords {
    /// A client that is further behind reads everything again.
    private static let loggedChanges = 256
    private static let loggedDocuments = 1_000

    func foreignChanges(after number: Int?) throws(ReplicaError) -> ForeignChanges {
        var changes = ForeignChanges(last: lastChange)
        guard let number, number != lastChange else { return changes }
        let records = try records(of: RecordKey.changes, from: RecordKey.number(number + 1))
        changes.isIncomplete =
            try records.first.map { (record) throws(ReplicaError) in
                try RecordContent.number(record.member) != number + 1
            } ?? true
        for record in records {
            let content = try RecordContent(record.value, key: RecordKey.changes + record.member, engine.database)
            if try content.fields.integer("client") != client { try changes.add(content.fields) }
        }
        return changes
    }

    func noteOutcome(of batch: Int, _ error: SyncError?) { outcomes.updateValue(error, forKey: batch) }

    func announce() { isAnnounced = true }

    /// Adds this transaction to the log, if there is somebody to read it.
    func logChange() {
        guard isShared else { return }
        lastChange += 1
        var fields = Fields.empty
        fields["client"] = .integer(Int64(client))
        if documents.count <= EngineRecords.loggedDocuments {
            fields["documents"] = .array(
                documents.keys.map { .reference(Reference(database: engine.database, path: $0.resource)) })
        }
        fields["targets"] = .array(changedTargets.map { .integer(Int64($0)) })
        fields["outcomes"] = .array(
            outcomes.map { id, error in
                var outcome = Fields([Field("batch", .integer(Int64(id)))])!
                if let error {
                    outcome["code"] = .integer(Int64(error.code.rawValue))
                    outcome["message"] = .string(Text(error.message))
                }
                return .map(outcome)
            })
        fields["isQueueChanged"] = .boolean(hasChanges(of: .batch))
        fields["areRequestsChanged"] = .boolean(hasChanges(of: .request))
        set(fields, at: .change(lastChange))
        if lastChange > EngineRecords.loggedChanges { remove(.change(lastChange - EngineRecords.loggedChanges)) }
    }

    // MARK: Requests

    func requests() throws(ReplicaError) -> [TargetRequest] {
        try records(of: RecordKey.requests).map { (record) throws(ReplicaError) in
            let content = try RecordContent(record.value, key: RecordKey.requests + record.member, engine.database)
            return try TargetRequest(content.fields, engine.database)
        }
    }

    func setRequest(_ request: TargetRequest) {
        set(request.fields(engine.database), at: .request(of: request.client, request.query.canonicalID))
    }

    func removeRequest(of client: Int, _ query: SyncQuery) { remove(.request(of: client, query.canonicalID)) }
}

extension ForeignChanges {
    /// What a record of the log says.
    fileprivate mutating func add(_ fields: Fields) throws(ReplicaError) {
        if fields["documents"] == nil {
            isIncomplete = true
        } else {
            for value in try fields.array("documents") {
                guard case .reference(let reference) = value else { throw .damaged("a changed document has no name") }
                documents.insert(try DocumentPath(checking: reference.path))
            }
        }
        for value in try fields.array("targets") {
            guard case .integer(let id) = value else { throw .damaged("a changed target has no number") }
            targets.insert(Int(id))
        }
        for value in try fields.array("outcomes") {
            guard case .map(let outcome) = value else { throw .damaged("a batch has an unknown outcome") }
            outcomes.updateValue(try SyncError.stored(outcome), forKey: try outcome.integer("batch"))
        }
        if fields["isQueueChanged"] == .boolean(true) { isQueueChanged = true }
        if fields["areRequestsChanged"] == .boolean(true) { areRequestsChanged = true }
    }
}

extension TargetRequest {
    func fields(_ database: DatabaseID) -> Fields {
        var fields = query.fields(database)
        fields["client"] = .integer(Int64(client))
        fields["needsServer"] = .boolean(needsServer)
        if let refusal {
            fields["code"] = .integer(Int64(refusal.code.rawValue))
            fields["message"] = .string(Text(refusal.message))
        }
        return fields
    }

    init(_ fields: Fields, _ database: DatabaseID) throws(ReplicaError) {
        self.init(
            client: try fields.integer("client"), query: try SyncQuery(fields, database),
            needsServer: fields["needsServer"] == .boolean(true), refusal: try SyncError.stored(fields))
    }
}

extension SyncError {
    /// The error of these fields; nil without one.
    fileprivate static func stored(_ fields: Fields) throws(ReplicaError) -> SyncError? {
        guard fields["code"] != nil else { return nil }
        let number = try fields.integer("code")
        guard let code = StatusCode(rawValue: number) else {
            throw .damaged("a record has an unknown cause, \(number)")
        }
        return SyncError(code, try fields.string("message"))
    }
}
