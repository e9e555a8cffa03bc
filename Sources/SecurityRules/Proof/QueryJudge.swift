// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import JSONText
package import QueryPlanner

/// Says of queries whether security rules allow them, before there are users and documents.
package struct QueryJudge {
    /// What rules say of a query.
    package struct Verdict: Sendable {
        /// Whether a caller may run it who is not signed in.
        package let nobody: Bool
        /// Whether a user may who is signed in: any user, or the one whose ID the query has as a value.
        package let user: Bool
        /// Whether a user may who has a certain ID or other claims in the token, or if documents that rules read say so:
        /// nobody is denied for certain.
        package let depends: Bool
        /// Why a user may not; or, if not every user may, which one.
        package let because: String?
        /// What to add to the query, so that a user may run it. `uid` stands for the user's ID.
        package let wouldAllow: String?
    }

    private let rules: RuleSet
    private let constraints: MissingConstraints
    private let claims: RuleClaims
    /// The rules where conditions about the user that cannot be tried are as lets users in, and where they are all false.
    private let answered: [RuleSet]
    private let time: RuleTimestamp

    /// Nil if the source does not compile.
    /// - Parameter time: the time of the requests.
    package init?(_ source: String, time: Timestamp) {
        guard let (rules, tree) = RuleSet.read(source) else { return nil }
        self.rules = rules
        self.time = RuleTimestamp(time)
        let outline = RulesOutline(tree)
        constraints = MissingConstraints(outline)
        let answers = ClaimAnswers(outline)
        answered = [true, false].compactMap { answer in
            answers.tree(answering: answer).map { RuleSet(source, $0, []) }
        }
        claims = RuleClaims(tree)
    }

    /// The placeholder for the ID of a user who is signed in.
    static let userID: Text = "hearth-user"

    package func judge(_ query: Query) -> Verdict {
        let nobody = decide(query, uid: nil).isAllowed
        let decision = decide(query, uid: QueryJudge.userID)
        func allowed(because: String?) -> Verdict {
            Verdict(nobody: nobody, user: true, depends: false, because: because, wouldAllow: nil)
        }
        if decision.isAllowed { return allowed(because: nil) }
        let texts = texts(query)
        if let uid = texts.first(where: { decide(query, uid: $0).isAllowed }) {
            return allowed(because: "for the user whose ID is \(QueryJudge.words(uid))")
        }
        let depends = depends(query, texts)
        func denied(_ decision: Decision, _ addition: String?) -> Verdict {
            Verdict(
                nobody: nobody, user: false, depends: depends, because: reason(decision), wouldAllow: addition)
        }
        for uid in [QueryJudge.userID] + texts {
            guard let addition = constraints.find(query, uid: uid, isAllowed: { decide($0, uid: uid).isAllowed }) else {
                continue
            }
            return denied(decide(query, uid: uid), addition)
        }
        return denied(decision, nil)
    }

    private func decide(
        _ query: Query, uid: Text?, claims: [JSONMember] = [], by rules: RuleSet? = nil,
        reads: @escaping () -> Void = {}
    ) -> Decision {
        let auth = uid.map { QueryJudge.auth($0, claims) } ?? .null
        return (rules ?? self.rules).decide(RuleRequest(.list(query), auth: auth, time: time)) { _ in
            reads()
            return nil
        }
    }

    /// Whether rules ask for a document, or would allow the query to a certain user or with other claims.
    private func depends(_ query: Query, _ texts: [Text]) -> Bool {
        var hasRead = false
        for rules in [rules] + answered {
            for uid in claims.userIDs where decide(query, uid: uid, by: rules).isAllowed { return true }
            for uid in [QueryJudge.userID] + texts.prefix(2) {
                for claims in [[]] + claims.tokens(texts) {
                    let decision = decide(query, uid: uid, claims: claims, by: rules) { hasRead = true }
                    if decision.isAllowed || hasRead { return true }
                }
            }
        }
        return false
    }

    /// A user with a verified address and, but for some, no claims of the application's own.
    private static func auth(_ uid: Text, _ claims: [JSONMember]) -> RuleValue {
        let usual: [(String, JSONNode)] = [
            ("sub", .string(uid.string)), ("user_id", .string(uid.string)), ("email", .string(email)),
            ("email_verified", .boolean(true)),
            ("firebase", .object(["sign_in_provider": .string("password"), "identities": .object([:])])),
        ]
        let others = usual.filter { claim in !claims.contains { $0.key == claim.0 } }
        return Claims.auth(JSONNode(.object(others.map { JSONMember(key: $0.0, node: $0.1) } + claims)))
    }

    static let email = "user@example.com"

    /// The strings of a query that may be a user's ID.
    private func texts(_ query: Query) -> [Text] {
        var texts = query.parent?.resource.segments ?? []
        func collect(_ value: Value) {
            switch value {
            case .string(let text): texts.append(text)
            case .array(let elements): elements.forEach(collect)
            case .reference(let reference): texts += reference.path.segments.suffix(1)
            default: break
            }
        }
        func collect(_ filter: Filter) {
            switch filter {
            case .field(_, _, let value): collect(value)
            case .unary: break
            case .and(let filters), .or(let filters): filters.forEach(collect)
            }
        }
        if let filter = query.filter { collect(filter) }
        var seen: Set<String> = []
        return texts.filter { seen.insert($0.string).inserted }.prefix(30).map(\.self)
    }

    /// Query logs and queries from source have `v0`, `v1` and so on for values that only the program knows.
    private static func words(_ uid: Text) -> String {
        let isStandIn = uid.string.first == "v" && uid.utf8Count > 1 && uid.string.dropFirst().allSatisfy(\.isNumber)
        return isStandIn ? "the value that the program gives" : "\"\(uid)\""
    }

    /// What each statement says, in a sentence.
    private func reason(_ decision: Decision) -> String {
        guard !decision.outcomes.isEmpty else { return "no statement allows list there" }
        var sentences: [String] = []
        // What was decided last, with documents, counts.
        var said: Set<SourcePosition> = []
        for outcome in decision.outcomes.reversed() where said.insert(outcome.position).inserted {
            sentences.insert("line \(outcome.position.line): \(words(outcome))", at: 0)
        }
        guard sentences.count > 3 else { return sentences.joined(separator: "; ") }
        return sentences.prefix(3).joined(separator: "; ") + "; and \(sentences.count - 3) more"
    }

    private func words(_ outcome: Decision.Outcome) -> String {
        switch outcome.result {
        case .success(.bool): return "the condition is false"
        case .success: return "the condition is no bool"
        case .failure(.undecided): return "the filters do not imply the condition"
        case .failure(.undefinedProperty(let name)) where claims.names.contains(name.string):
            return "it depends on the claim \"\(name)\" of the user's token"
        case .failure(.undefinedProperty(let name)): return "no filter says what \"\(name)\" is"
        case .failure(let error):
            let message = error.message
            if message.hasPrefix("Service call error.") { return "it depends on a document that get() reads" }
            return message.hasSuffix(".") ? String(message.dropLast()) : message
        }
    }
}
