// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What a condition may ask for besides its own values.
struct EvaluationContext {
    var request: RequestValues
    /// Nil if it cannot be known without reading.
    var resource: Resource
    /// Whether documents may be read: false in the first phase.
    var reads: DocumentReads
    /// What functions that read give in a test, instead of reading.
    var mocks: [FunctionMock]?
    /// Whether the time of the request was asked for.
    var readsTime = false

    enum Resource {
        case unread
        /// The document of the request, null if it is missing.
        case value(RuleValue)
        /// A missing document that a query names.
        case unreadable
    }

    mutating func wholeRequest() throws(EvaluationError) -> RuleValue {
        readsTime = true
        return .map(try request.map())
    }

    mutating func requestMember(_ known: RequestName, _ name: Text) throws(EvaluationError) -> RuleValue {
        if known == .time { readsTime = true }
        guard let value = try request.member(known, name) else { throw .undefinedProperty(name) }
        return value
    }

    mutating func readResource() throws(EvaluationError) -> RuleValue {
        switch resource {
        case .value(let value): return value
        case .unreadable: throw .unreadableResource
        case .unread:
            reads.wasMissed = true
            throw .undecided
        }
    }

    mutating func access(_ function: AccessFunction, _ path: RulePath) throws(EvaluationError) -> RuleValue {
        if let name = path.unbound { throw .notBound(name) }
        if let mocks {
            guard let mock = mocks.first(where: { $0.fits(function, path) }), let result = mock.result else {
                throw reads.failure(function, path)
            }
            return result
        }
        return try reads.access(function, path)
    }
}

/// The value of `request`, made of members that are known before the evaluation.
struct RequestValues: Sendable {
    var method: RequestMethod
    /// Null, or a map with `uid` and `token`.
    var auth: RuleValue
    /// Nil where the request has no path: in queries of collection groups.
    var path: ResourcePath?
    var database: Text
    var time: RuleTimestamp
    var isInTransaction: Bool
    /// `query`, `fields`, `readFields`, `writeFields`, `transforms` and others; in tests `headers`, which are empty elsewhere.
    var others: [RuleMap.Entry] = []
    var resource: NewResource = .none

    /// `request.resource`.
    enum NewResource: Sendable {
        /// The request has none: a read.
        case none
        /// It depends on what is stored, which was not read yet.
        case unread
        case value(RuleValue)
    }

    func member(_ known: RequestName, _ name: Text) throws(EvaluationError) -> RuleValue? {
        switch known {
        case .auth: return auth
        case .method: return .string(Text(method.rawValue))
        case .path:
            guard let path else { throw .undecided }
            return .path(RulePath(document: path, database: database))
        case .time: return .timestamp(time)
        case .inTransaction: return .bool(isInTransaction)
        case .headers: return others.first { $0.key == name }?.value ?? .map(.empty)
        case .resource:
            switch resource {
            case .none: return nil
            case .unread: throw .undecided
            case .value(let value): return value
            }
        case .other:
            for entry in others where entry.key == name { return entry.value }
            return nil
        }
    }

    func has(_ name: Text) -> Bool {
        if name == "resource", case .none = resource { return false }
        return RequestValues.names.contains(name) || others.contains { $0.key == name }
    }

    /// The keys that a request may have.
    static let keys = [
        "auth", "method", "path", "resource", "time", "query", "headers", "inTransaction", "fields", "readFields",
        "writeFields", "transforms", "params",
    ]

    private static let names: [Text] = ["auth", "headers", "inTransaction", "method", "path", "resource", "time"]

    func map() throws(EvaluationError) -> RuleMap {
        var entries = others
        for name in RequestValues.names where name != "path" || path != nil {
            if let value = try member(RequestName(rawValue: name.string) ?? .other, name) {
                entries.append((name, value))
            }
        }
        return RuleMap(entries)
    }
}
