// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import JSONText
internal import QueryPlanner

/// Runs test cases without a database.
package struct RuleCaseRunner {
    /// How much answers say.
    package enum Detail: Sendable {
        case decision
        /// All that was evaluated, too.
        case evaluation
        /// What a refused query lacks, too.
        case advice
    }

    /// The rules of cases without their own.
    private let rules: RuleSet?
    private let time: Timestamp
    private let database = RuleCase.database
    private let detail: Detail
    /// The documents of cases that have none.
    private let stored: (ResourcePath) -> Fields?

    package init(
        rules: RuleSet? = nil, time: Timestamp, detail: Detail = .decision,
        stored: @escaping (ResourcePath) -> Fields? = { _ in nil }
    ) {
        self.rules = rules
        self.detail = detail
        self.stored = stored
        self.time = time.inWholeMilliseconds
    }

    package func run(_ test: RuleCase) throws(DocumentFormError) -> RuleCaseAnswer {
        var issues: [RuleIssue] = []
        var rules = rules
        if let source = test.rules { (rules, issues) = RuleSet.compile(source) }
        guard let rules else {
            let lines = issues.map(\.line).joined(separator: "\n")
            return RuleCaseAnswer(status: .compile, message: "Error compiling rules:\n\(lines)", issues: issues)
        }
        guard let request = test.request else { return RuleCaseAnswer(status: .compiled, issues: issues) }
        var run = Run(
            rules: rules, test: test, request: request, time: time, detail: detail,
            stored: test.documents.isEmpty ? stored : { test.documents[$0] })
        var answer = try run.answer()
        answer.issues = issues
        answer.explanations = run.explanations
        answer.missing = run.missing
        return answer
    }

    /// One request to one set of rules.
    private struct Run {
        let rules: RuleSet
        let test: RuleCase
        let request: JSONNode
        let time: Timestamp
        let detail: Detail
        let stored: (ResourcePath) -> Fields?
        var explanations: [RuleExplanation] = []
        var missing: MissingConstraint?

        private var isAdministrator: Bool { request["auth"]?.string == "owner" }

        private var auth: RuleValue {
            guard let members = request["auth"]?.members else { return .null }
            let uid = members.first { $0.key == "uid" }
            var claims = RuleCase.standardClaims
            for name in uid == nil ? [] : ["sub", "user_id"] {
                claims.append(JSONMember(key: name, node: uid?.node ?? .string("")))
            }
            let others = members.filter { $0.key != "uid" }
            return Claims.auth(JSONNode(.object(claims + others)))
        }

        private mutating func decide(_ operation: RuleRequest.Operation, isInTransaction: Bool = false) -> Decision {
            if isAdministrator { return Decision(isAllowed: true, outcomes: []) }
            let request = RuleRequest(
                operation, auth: auth, database: RuleCase.database.database, time: RuleTimestamp(time),
                isInTransaction: isInTransaction)
            guard detail != .decision else { return rules.decide(request, documents: stored) }
            let explanation = rules.explain(request, documents: stored)
            explanations.append(explanation)
            if detail == .advice { missing = MissingConstraint.find(rules, request, documents: stored) }
            return explanation.decision
        }

        private func answer(_ decision: Decision) -> RuleCaseAnswer {
            RuleCaseAnswer(
                status: decision.isAllowed ? .ok : .permissionDenied, message: decision.message, decision: decision)
        }

        mutating func answer() throws(DocumentFormError) -> RuleCaseAnswer {
            let method = request["method"]?.string ?? ""
            switch method {
            case "get":
                let path = try self.path("path")
                var result = answer(decide(.get([path])))
                if result.status == .ok, stored(path) == nil {
                    let name = Reference(database: RuleCase.database, path: path).resourceName
                    result.status = .notFound
                    result.message = "Document (\(name)) not found."
                }
                return result
            case "batchget": return answer(decide(.get(try paths("paths"))))
            case "list", "count", "listdocs": return try answerQuery(method)
            case "batchwrite" where !isAdministrator:
                return RuleCaseAnswer(
                    status: .permissionDenied, message: "Batch writes require admin authentication.")
            case "transaction":
                for path in try paths("reads") {
                    let result = answer(decide(.get([path]), isInTransaction: true))
                    guard result.status == .ok else { return result }
                }
                return try answerCommit(method)
            default: return try answerCommit(method)
            }
        }

        private func path(_ key: String) throws(DocumentFormError) -> ResourcePath {
            try RuleCasePath.read(request[key]?.string ?? "")
        }

        private func paths(_ key: String) throws(DocumentFormError) -> [ResourcePath] {
            var paths: [ResourcePath] = []
            for element in request[key]?.elements ?? [] {
                paths.append(try RuleCasePath.read(element.string ?? ""))
            }
            return paths
        }

        // MARK: Queries

        private mutating func answerQuery(_ method: String) throws(DocumentFormError) -> RuleCaseAnswer {
            if method == "listdocs" { return answer(decide(.list(try listing()))) }
            var members = [JSONMember(key: "structuredQuery", node: request["query"] ?? .object([:]))]
            if let parent = request["parent"]?.string, !parent.isEmpty {
                let path = try RuleCasePath.read(parent)
                members.append(
                    JSONMember(key: "parent", node: .string("\(RuleCase.database.resourceName)/documents/\(path)")))
            }
            let query: Query
            do throws(InvalidQueryError) {
                query = try QueryJSON.read(JSONNode(.object(members)), database: RuleCase.database).query
            } catch {
                throw DocumentFormError(error.message)
            }
            if query.parent != nil, query.from.allDescendants, query.filter != nil {
                return RuleCaseAnswer(
                    status: .invalidArgument,
                    message: "collection group queries are only allowed at the root parent")
            }
            return answer(decide(.list(query)))
        }

        /// ListDocuments: a query with the size of a page as its limit.
        private func listing() throws(DocumentFormError) -> Query {
            let path = try CollectionPath(parsing: try self.path("path").description)
            let size = request["params"]?.string.flatMap { $0.split(separator: "pageSize=").last.flatMap { Int($0) } }
            return Query(
                parent: path.parent, from: CollectionSelector(collectionID: path.group),
                limit: size ?? RuleRequest.defaultPageSize)
        }

        // MARK: Writes

        private mutating func answerCommit(_ method: String) throws(DocumentFormError) -> RuleCaseAnswer {
            let writes = try RuleCaseWrite.all(request, method)
            if let problem = RuleCaseStaging.invalidity(of: writes) {
                return RuleCaseAnswer(status: .invalidArgument, message: problem)
            }
            var staging = RuleCaseStaging(documents: stored, time: time)
            for write in writes { staging.apply(write) }
            var result = answer(decide(.commit(staging.writes)))
            if result.status == .ok, let failure = staging.failure {
                (result.status, result.message) = failure
                result.isWrite = true
            }
            return result
        }
    }
}
