// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import JSONText
    internal import QueryPlanner
    internal import SecurityRules

    /// What rules have decided about one document or query.
    struct RuledAccess: Sendable {
        enum Outcome: String, Sendable {
            case allow, deny
            /// A condition could not be evaluated.
            case error
            /// Rules do not concern the caller.
            case admin
        }

        /// As in rules: `get`, `list`, `create`, `update`, `delete`.
        let method: String
        /// The document, or what stands for a query's: `cities/*`.
        let path: String
        let outcome: Outcome
        /// The caller's claims; nil without a token.
        let claims: JSONNode?
        /// The lines whose conditions were not true.
        let deniedLines: [Int]
        /// The rules' text; nil without rules.
        let rules: String?
        /// When rules decided, which is `request.time`.
        let time: Timestamp
    }

    extension ServedDatabase {
        /// Tells who watches the request what rules have decided.
        ///
        /// - Parameter decision: nil where rules have nothing to decide.
        func note(
            _ subjects: [(method: String, path: String)], _ credentials: Credentials, at time: Timestamp,
            _ decision: Decision? = nil, in record: RequestRecord
        ) {
            var claims: JSONNode?
            var outcome = RuledAccess.Outcome.allow
            if case .user(let known) = credentials { claims = known }
            if case .administrator = credentials { outcome = .admin }
            if let decision, !decision.isAllowed { outcome = decision.hasError ? .error : .deny }
            let lines = decision?.outcomes.filter { !$0.allows }.map(\.position.line) ?? []
            let text = rules.rules(of: id)?.text
            record.note(
                subjects.map { subject in
                    RuledAccess(
                        method: subject.method, path: subject.path, outcome: outcome, claims: claims,
                        deniedLines: lines, rules: text, time: time)
                })
        }
    }

    extension ReadRequest {
        /// What rules call it, and its documents.
        var subjects: [(method: String, path: String)] {
            switch self {
            case .metadata: []
            case .documents(let paths): paths.map { ("get", $0.description) }
            case .query(let query):
                [("list", (query.parent.map { "\($0)/" } ?? "") + (query.from.collectionID?.string ?? "*") + "/*")]
            }
        }
    }

    extension Write {
        /// What rules call it, as far as it can be known before it is done.
        var subject: (method: String, path: String) {
            let method =
                switch operation {
                case .delete: "delete"
                case .verify: "get"
                case .update: if case .exists(false)? = precondition { "create" } else { "update" }
                }
            return (method, path.description)
        }
    }

    extension Decision {
        fileprivate var hasError: Bool {
            outcomes.contains { if case .failure = $0.result { true } else { false } }
        }
    }
#endif
