// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// What a case must say. One that asks for nothing would be denied, as if the rules said so.
enum RuleCaseForm {
    /// What a request's `method` can be.
    private static let methods = [
        "get", "batchget", "list", "count", "listdocs", "create", "createDocument", "set", "merge", "update", "patch",
        "delete", "deleteDocument", "verify", "commit", "batchwrite", "transaction",
    ]

    /// `group` and `note` are for people.
    private static let members: Set<String> = [
        "id", "group", "note", "rules", "expr", "documents", "request", "expect",
    ]

    private static let requestMembers: Set<String> = [
        "method", "auth", "path", "paths", "parent", "query", "params", "aggregations", "documentId", "data", "mask",
        "transforms", "precondition", "currentDocument", "reads", "writes", "documents",
    ]

    /// The members of a case that nothing reads: a misspelt `expect` would expect nothing.
    static func unknownMembers(ofCase node: JSONNode) -> [String] {
        unknown(node, members).map { "\"\($0)\" of the case" }
    }

    static func unknownMembers(ofRequest node: JSONNode) -> [String] {
        unknown(node, requestMembers).map { "\"\($0)\" of the request" }
    }

    private static func unknown(_ node: JSONNode, _ known: Set<String>) -> [String] {
        (node.members ?? []).map(\.key).filter { !known.contains($0) }
    }

    static func check(request: JSONNode) throws(DocumentFormError) {
        guard let method = request["method"]?.string, methods.contains(method) else {
            throw DocumentFormError("the request has no \"method\" of \(methods.joined(separator: ", "))")
        }
        try checkCaller(request["auth"])
        switch method {
        case "list", "count": try checkQuery(request)
        case "batchget": try checkList("paths", of: request, "documents, such as [\"users/alice\"]")
        case "commit", "batchwrite":
            try checkList("writes", of: request, "writes, such as [{\"delete\":\"users/alice\"}]")
        case "transaction":
            let key = request["writes"] == nil ? "reads" : "writes"
            try checkList(key, of: request, "\"reads\" or \"writes\"")
        case "listdocs", "createDocument": try checkPath(request, ofCollection: true)
        default: try checkPath(request, ofCollection: false)
        }
    }

    static func check(expected: JSONNode) throws(DocumentFormError) {
        if let allow = expected["allow"], allow.boolean == nil {
            throw DocumentFormError("\"allow\" of \"expect\" is not true or false")
        }
        guard expected["allow"] != nil || expected["status"] != nil else {
            throw DocumentFormError("\"expect\" has no \"allow\": write {\"allow\":true} or {\"allow\":false}")
        }
    }

    private static func checkCaller(_ auth: JSONNode?) throws(DocumentFormError) {
        guard let auth, !auth.isNull, auth.members == nil, auth.string != "owner" else { return }
        throw DocumentFormError("\"auth\" is null, an object such as {\"uid\":\"alice\"}, or \"owner\"")
    }

    private static func checkQuery(_ request: JSONNode) throws(DocumentFormError) {
        guard request["query"]?["from"] != nil else {
            throw DocumentFormError(
                "the request names no collection: write \"query\":{\"from\":[{\"collectionId\":\"posts\"}]}")
        }
    }

    private static func checkList(
        _ key: String, of request: JSONNode, _ what: String
    ) throws(DocumentFormError) {
        guard request[key]?.elements != nil else {
            throw DocumentFormError("the request names no \(what), in \"\(key)\"")
        }
    }

    private static func checkPath(_ request: JSONNode, ofCollection: Bool) throws(DocumentFormError) {
        let example = ofCollection ? "users" : "users/alice"
        guard let path = request["path"]?.string else {
            throw DocumentFormError("the request has no \"path\", such as \"\(example)\"")
        }
        if path.hasPrefix("/") {
            throw DocumentFormError(
                "the request has the \"path\" \"\(path)\": write it from the first collection on, such as \"\(example)\""
            )
        }
        let isCollection = path.split(separator: "/", omittingEmptySubsequences: false).count % 2 == 1
        guard isCollection != ofCollection else { return }
        let kind = ofCollection ? "collection" : "document"
        throw DocumentFormError(
            "the request has the \"path\" \"\(path)\", which is no \(kind)'s: write one such as \"\(example)\"")
    }
}
