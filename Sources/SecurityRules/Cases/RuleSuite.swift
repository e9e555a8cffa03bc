// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import JSONText

/// A test suite in the form of the Rules API's `projects.test`: the whole body of a request, or its `testSuite`.
package struct RuleSuite: Sendable {
    /// The source of the body; nil if the suite brings none.
    package let rules: String?
    package let cases: [RuleSuiteCase]

    package init(_ node: JSONNode) throws(DocumentFormError) {
        let body = try SuiteObject(node, "the suite", ["testSuite", "testCases", "source"])
        if let source = body["source"] { rules = try RuleSuite.rules(source) } else { rules = nil }
        let suite = try body["testSuite"].map { suite throws(DocumentFormError) in
            try SuiteObject(suite, "testSuite", ["testCases"])
        }
        guard let elements = (suite ?? body)["testCases"]?.elements else {
            throw DocumentFormError("the suite has no list \"testCases\"", offset: node.offset)
        }
        var cases: [RuleSuiteCase] = []
        for (place, element) in elements.enumerated() {
            cases.append(try RuleSuiteCase(element, "testCases[\(place)]"))
        }
        self.cases = cases
    }

    private static func rules(_ node: JSONNode) throws(DocumentFormError) -> String {
        let source = try SuiteObject(node, "source", ["files", "language"])
        guard let files = source["files"]?.elements, files.count == 1 else {
            throw DocumentFormError("source.files must be a list of one file", offset: node.offset)
        }
        let file = try SuiteObject(files[0], "source.files[0]", ["name", "content", "fingerprint"])
        return try file.text("content")
    }
}

/// One request with all that rules may ask, and what should come of it.
package struct RuleSuiteCase: Sendable {
    /// Whether the request should be allowed.
    package let allows: Bool
    let path: RequestPath
    let requestPath: ResourcePath
    let database: Text
    let method: RequestMethod
    let auth: RuleValue
    /// Nil stands for now.
    let time: RuleTimestamp?
    /// `request.resource`.
    let newResource: RuleValue?
    let resource: RuleValue
    let isInTransaction: Bool
    /// Further members of `request`.
    let others: [RuleMap.Entry]
    let mocks: [FunctionMock]

    init(_ node: JSONNode, _ name: String) throws(DocumentFormError) {
        let test = try SuiteObject(
            node, name,
            ["expectation", "request", "resource", "functionMocks", "pathEncoding", "expressionReportLevel"])
        switch try test.text("expectation") {
        case "ALLOW": allows = true
        case "DENY": allows = false
        case let other:
            throw DocumentFormError("\(name).expectation is ALLOW or DENY, not \"\(other)\"", offset: node.offset)
        }
        let encoding = try test["pathEncoding"].map { _ throws(DocumentFormError) in try test.text("pathEncoding") }
        let isEncoded = encoding == "URL_ENCODED"
        guard encoding == nil || ["URL_ENCODED", "PLAIN", "ENCODING_UNSPECIFIED"].contains(encoding) else {
            throw DocumentFormError("\(name).pathEncoding is URL_ENCODED or PLAIN", offset: node.offset)
        }
        guard let request = test["request"], request.members != nil, request["path"] != nil, request["method"] != nil
        else {
            throw DocumentFormError(
                "\(name).request must be an object with \"path\" and \"method\"", offset: node.offset)
        }
        resource = test["resource"].map(Claims.value) ?? .null
        newResource = request["resource"].map(Claims.value)
        let path = try RuleSuiteCase.path(request, name, isEncoded)
        (self.path, requestPath, database) = path
        method = try RuleSuiteCase.method(request, name, isStored: test["resource"]?.isNull == false)
        auth = request["auth"].map(Claims.value) ?? .null
        time = try request["time"].map { time throws(DocumentFormError) in try RuleSuiteCase.time(time, name) }
        isInTransaction = try RuleSuiteCase.isInTransaction(request, name)
        others = try RuleSuiteCase.others(request, name)
        var mocks: [FunctionMock] = []
        for (place, mock) in (try test.list("functionMocks")).enumerated() {
            mocks.append(try FunctionMock(mock, "\(name).functionMocks[\(place)]", isEncoded: isEncoded))
        }
        self.mocks = mocks
    }

    private static func path(
        _ request: JSONNode, _ name: String, _ isEncoded: Bool
    ) throws(DocumentFormError) -> (RequestPath, ResourcePath, Text) {
        guard let text = request["path"]?.string, text.hasPrefix("/databases/") else {
            throw DocumentFormError(
                "\(name).request.path must begin with /databases/{database}/documents/", offset: request.offset)
        }
        let segments = FunctionMock.segments(text, isEncoded: isEncoded)
        guard segments.count > 3, segments[2] == "documents", segments.allSatisfy({ !$0.string.isEmpty }) else {
            throw DocumentFormError("\(name).request.path is no path of a document", offset: request.offset)
        }
        let path = ResourcePath(segments: Array(segments[3...]))
        let isDocument = path.count % 2 == 0
        return (
            isDocument
                ? RequestPath(document: path, database: segments[1])
                : RequestPath(collection: path, database: segments[1]), path, segments[1]
        )
    }

    /// `read` and `write` stand for the method that the resources leave.
    private static func method(
        _ request: JSONNode, _ name: String, isStored: Bool
    ) throws(DocumentFormError) -> RequestMethod {
        let text = request["method"]?.string ?? ""
        switch text {
        case "read": return .get
        case "write": return request["resource"]?.isNull == false ? isStored ? .update : .create : .delete
        default:
            guard let method = RequestMethod(rawValue: text) else {
                throw DocumentFormError(
                    "\(name).request.method is get, list, create, update or delete, not \"\(text)\"",
                    offset: request.offset)
            }
            return method
        }
    }

    private static func isInTransaction(_ request: JSONNode, _ name: String) throws(DocumentFormError) -> Bool {
        guard let node = request["inTransaction"] else { return false }
        guard let bool = node.boolean else {
            throw DocumentFormError("\(name).request.inTransaction is true or false", offset: node.offset)
        }
        return bool
    }

    /// What has no property of its own. A name that no request has is a slip.
    private static func others(_ request: JSONNode, _ name: String) throws(DocumentFormError) -> [RuleMap.Entry] {
        let own: [RequestName] = [.auth, .method, .path, .time, .inTransaction, .resource]
        var others: [RuleMap.Entry] = []
        for member in request.members ?? [] where !own.contains(RequestName(rawValue: member.key) ?? .other) {
            guard RequestValues.keys.contains(member.key) else {
                let wanted = RequestValues.keys.joined(separator: ", ")
                throw DocumentFormError(
                    "\(name).request has no member \"\(member.key)\"; it has \(wanted)", offset: member.keyOffset)
            }
            others.append((Text(member.key), Claims.value(member.node)))
        }
        return others
    }

    private static func time(_ node: JSONNode, _ name: String) throws(DocumentFormError) -> RuleTimestamp {
        if let text = node.string,
            case .timestamp(let time)? = try? TimestampFunctions.call(.timestampValue, [.string(Text(text))])
        {
            return time
        }
        throw DocumentFormError("\(name).request.time is no time such as 2026-11-22T10:00:00Z", offset: node.offset)
    }
}

/// An object of a suite. Names may be written with capitals or with underscores, as everywhere in Google's JSON; others
/// than the known ones are slips.
struct SuiteObject {
    private let members: [String: JSONNode]
    private let name: String
    private let offset: Int

    init(_ node: JSONNode, _ name: String, _ known: [String]) throws(DocumentFormError) {
        guard let all = node.members else {
            throw DocumentFormError("\(name) is no object", offset: node.offset)
        }
        var members: [String: JSONNode] = [:]
        for member in all {
            let key = SuiteObject.camelCase(member.key)
            guard known.contains(key) else {
                let wanted = known.joined(separator: ", ")
                throw DocumentFormError(
                    "\(name) has no member \"\(member.key)\"; it has \(wanted)", offset: member.keyOffset)
            }
            members[key] = member.node
        }
        self.members = members
        self.name = name
        offset = node.offset
    }

    subscript(key: String) -> JSONNode? { members[key] }

    func text(_ key: String) throws(DocumentFormError) -> String {
        guard let text = members[key]?.string else {
            throw DocumentFormError("\(name) has no text \"\(key)\"", offset: offset)
        }
        return text
    }

    /// Empty if it is missing.
    func list(_ key: String) throws(DocumentFormError) -> [JSONNode] {
        guard let node = members[key] else { return [] }
        guard let elements = node.elements else {
            throw DocumentFormError("\(name).\(key) is no list", offset: node.offset)
        }
        return elements
    }

    private static func camelCase(_ key: String) -> String {
        let parts = key.split(separator: "_", omittingEmptySubsequences: false)
        return String(parts[0]) + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
