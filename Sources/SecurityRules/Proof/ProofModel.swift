// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner

/// A request with all that rules may look at.
struct ProofModel {
    var method: RequestMethod
    /// Nil for a caller who is not signed in.
    var uid: Text?
    /// Claims of the application's own.
    var claims = Fields.empty
    /// Below `/databases/(default)/documents`.
    var path: [Text]
    var before: Fields?
    var after: Fields?
    var others: [ResourcePath: Fields] = [:]
    /// What a `list` asks for besides its collection.
    var filter: Filter?
    var limit: Int?
    var time: Timestamp

    var document: ResourcePath { ResourcePath(segments: path) }

    /// Makes the states of the document fit the method.
    mutating func settle() {
        switch method {
        case .create: before = nil
        case .update, .delete: before = before ?? .empty
        case .get, .list: break
        }
        switch method {
        case .create, .update: after = after ?? .empty
        case .get, .list, .delete: after = nil
        }
        others[document] = nil
    }

    /// The fields that the server sets to the time of the request. What is stored already is written as it is.
    private var fieldsOfTime: [Text] {
        (after ?? .empty).filter { $0.value == .timestamp(time) && before?[$0.name] != $0.value }.map(\.name)
    }

    /// The same request a minute later.
    var later: ProofModel {
        var later = self
        later.time = Timestamp(microseconds: time.microseconds + 60_000_000) ?? time
        for name in fieldsOfTime { later.after?[name] = .timestamp(later.time) }
        return later
    }

    private var token: [JSONMember] {
        var members = [("sub", uid), ("user_id", uid)].map { JSONMember(key: $0.0, node: .string($0.1?.string ?? "")) }
        for claim in claims { members.append(JSONMember(key: claim.name.string, node: ProofModel.plain(claim.value))) }
        return members
    }

    var request: RuleRequest? {
        let auth = uid == nil ? RuleValue.null : Claims.auth(JSONNode(.object(RuleCase.standardClaims + token)))
        let operation: RuleRequest.Operation
        switch method {
        case .get: operation = .get([document])
        case .list:
            guard let query else { return nil }
            operation = .list(query)
        case .create, .update, .delete:
            operation = .commit([
                RuleWrite(document, exists: method != .create, after: after, isAfterKnown: true)
            ])
        }
        return RuleRequest(operation, auth: auth, time: RuleTimestamp(time))
    }

    private var query: Query? {
        let parent = path.dropLast(2)
        guard let collection = path.dropLast().last else { return nil }
        return Query(
            parent: parent.isEmpty ? nil : DocumentPath(ResourcePath(segments: Array(parent))),
            from: CollectionSelector(collectionID: collection), filter: filter, limit: limit)
    }

    func isAllowed(by rules: RuleSet) -> Bool { decision(of: rules)?.isAllowed ?? false }

    /// Nil if there is no such request.
    func decision(of rules: RuleSet) -> Decision? {
        request.map { rules.decide($0, documents: stored) }
    }

    /// Where the condition begins that allows the request; nil if none does.
    func positionAllowing(by rules: RuleSet) -> SourcePosition? {
        guard let request else { return nil }
        let (decision, _) = DecisionMaker.trace(rules.program, request, stored: stored)
        return decision.outcomes.last { $0.allows }?.position
    }

    /// Reads documents as they are stored.
    private var stored: (ResourcePath) -> Fields? {
        let own = document
        let (before, others) = (before, others)
        return { $0 == own ? before : others[$0] }
    }

    // MARK: As a case

    /// The request as a case of `hearth rules test`.
    func testCase(_ id: String) -> JSONNode {
        var documents: [JSONMember] = []
        var all = others
        if let before { all[document] = before }
        for (path, fields) in all.sorted(by: { $0.key.description < $1.key.description }) {
            documents.append(JSONMember(key: RuleCasePath.text(of: path), node: ProofModel.lossless(fields)))
        }
        var request = [JSONMember(key: "method", node: .string(method == .update ? "set" : method.rawValue))]
        if method == .list {
            request += listMembers
        } else {
            request.append(JSONMember(key: "path", node: .string(RuleCasePath.text(of: document))))
        }
        request.append(JSONMember(key: "auth", node: auth))
        if let after { request += writeMembers(after) }
        if method == .update || method == .delete {
            request.append(JSONMember(key: "precondition", node: .object(["exists": .boolean(true)])))
        }
        return .object([
            "id": .string(id), "documents": JSONNode(.object(documents)), "request": JSONNode(.object(request)),
        ])
    }

    private var auth: JSONNode {
        guard let uid else { return JSONNode(.null) }
        let own = claims.map { JSONMember(key: $0.name.string, node: ProofModel.plain($0.value)) }
        return JSONNode(.object([JSONMember(key: "uid", node: .string(uid.string))] + own))
    }

    private var listMembers: [JSONMember] {
        var query: [JSONMember] = []
        if let own = self.query {
            var writer = JSONWriter()
            QueryJSON.write(.documents(own), to: &writer, database: RuleCase.database)
            query = (try? JSONParser.parse(writer.string))?["structuredQuery"]?.members ?? []
        }
        let parent = RuleCasePath.text(of: ResourcePath(segments: Array(path.dropLast(2))))
        return [
            JSONMember(key: "parent", node: .string(parent)), JSONMember(key: "query", node: JSONNode(.object(query))),
        ]
    }

    /// The time of the request is written by the server.
    private func writeMembers(_ after: Fields) -> [JSONMember] {
        var data = after
        var transforms: [JSONNode] = []
        for name in fieldsOfTime {
            data[name] = nil
            transforms.append(
                .object([
                    "fieldPath": .string(FieldPath(name: name).wire), "setToServerValue": .string("REQUEST_TIME"),
                ]))
        }
        let members = [JSONMember(key: "data", node: ProofModel.lossless(data))]
        return transforms.isEmpty ? members : members + [JSONMember(key: "transforms", node: .array(transforms))]
    }

    private static func lossless(_ fields: Fields) -> JSONNode {
        var writer = JSONWriter()
        ValueJSON.writeFields(fields, to: &writer, database: nil)
        return (try? JSONParser.parse(writer.string)) ?? .object([:])
    }

    private static func plain(_ value: Value) -> JSONNode {
        switch value {
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .string(let text): .string(text.string)
        case .array(let elements): .array(elements.map(plain))
        case .map(let fields): JSONNode(.object(fields.map { JSONMember(key: $0.name.string, node: plain($0.value)) }))
        default: JSONNode(.null)
        }
    }
}
