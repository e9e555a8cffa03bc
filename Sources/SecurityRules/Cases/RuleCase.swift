// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import JSONText

/// A test case of rules: a source, documents, a request, and perhaps what is expected.
package struct RuleCase: Sendable {
    package let id: String
    /// The source of the rules; nil if the case has none of its own.
    package let rules: String?
    /// Whether the case is one condition in a frame, so that its value matters.
    package let isExpression: Bool
    package let documents: [ResourcePath: Fields]
    /// Nil asks the compiler alone.
    package let request: JSONNode?
    package let expected: JSONNode?
    /// The members of the case and of its request that have no meaning, each with its place, such as `"auht" of the request`.
    package let unknownMembers: [String]

    /// The database of all cases.
    package static let database = DatabaseID(project: "demo")

    /// The claims of every token besides those of the case.
    static let standardClaims: [JSONMember] = [
        JSONMember(key: "iss", node: .string("https://securetoken.google.com/demo")),
        JSONMember(key: "aud", node: .string("demo")), JSONMember(key: "iat", node: .integer(0)),
        JSONMember(key: "exp", node: .integer(9_999_999_999)), JSONMember(key: "auth_time", node: .integer(0)),
        JSONMember(
            key: "firebase", node: .object(["sign_in_provider": .string("custom"), "identities": .object([:])])),
    ]

    /// - Parameter fixtures: documents by path, by the names to which cases refer.
    package init(_ node: JSONNode, fixtures: JSONNode?) throws(DocumentFormError) {
        id = node["id"]?.string ?? ""
        request = node["request"].flatMap { $0.isNull ? nil : $0 }
        expected = node["expect"]
        unknownMembers =
            RuleCaseForm.unknownMembers(ofCase: node) + (request.map(RuleCaseForm.unknownMembers(ofRequest:)) ?? [])
        if let request { try RuleCaseForm.check(request: request) }
        if let expected { try RuleCaseForm.check(expected: expected) }
        isExpression = node["expr"] != nil
        // A case with rules of its own may be about compiling them alone.
        if expected?["allow"] != nil, request == nil, !isExpression, node["rules"] == nil {
            throw DocumentFormError("the case expects \"allow\" to be something, and has no \"request\"")
        }
        rules = node["rules"]?.string ?? node["expr"]?.string.map(RuleCase.frame)
        var content = node["documents"]
        if let name = content?["$fixture"]?.string { content = fixtures?[name] }
        var documents: [ResourcePath: Fields] = [:]
        for member in content?.members ?? [] {
            let path = try RuleCasePath.read(member.key)
            documents[path] = try ValueJSON.readFields(member.node, database: RuleCase.database)
        }
        self.documents = documents
    }

    /// Rules that allow reading `c/{id}` under a condition.
    static func frame(_ condition: String) -> String {
        """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /c/{id} {
              allow get: if \(condition);
            }
          }
        }

        """
    }
}

/// What a case came to.
package struct RuleCaseAnswer: Sendable {
    package enum Status: String, Sendable {
        case ok = "OK"
        case notFound = "NOT_FOUND"
        case alreadyExists = "ALREADY_EXISTS"
        case permissionDenied = "PERMISSION_DENIED"
        case invalidArgument = "INVALID_ARGUMENT"
        case failedPrecondition = "FAILED_PRECONDITION"
        /// The rules do not compile.
        case compile = "COMPILE"
        /// The case has no request, and its rules compile.
        case compiled = "COMPILED"
    }

    package var status: Status
    package var message = ""
    /// Warnings; errors too if the rules do not compile.
    package var issues: [RuleIssue] = []
    package var decision: Decision?
    /// What was evaluated, one explanation for each decision of the request, if the runner keeps that.
    package var explanations: [RuleExplanation] = []
    /// What a refused query lacks, if the runner gives advice.
    package var missing: MissingConstraint?
    var isWrite = false

    /// Whether the request succeeds, or reads a missing document that the rules let it read.
    package var isAllowed: Bool {
        switch status {
        case .ok, .compiled: true
        case .notFound: !isWrite
        case .alreadyExists, .permissionDenied, .invalidArgument, .failedPrecondition, .compile: false
        }
    }

    /// Of a case with one condition: `true`, `false`, `error` or `compile-error`. A condition that only reading decides
    /// was an error before, and is called so unless it is true.
    package var verdict: String {
        guard let decision else { return status == .compile ? "compile-error" : "error" }
        if decision.isAllowed { return "true" }
        let isFalse = decision.outcomes.allSatisfy { if case .success(.bool) = $0.result { true } else { false } }
        return isFalse ? "false" : "error"
    }
}
