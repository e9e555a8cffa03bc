// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let requestResourceInRead = SecurityLintRule(
        id: "request-resource-in-read", severity: .warning, title: "request.resource in a read",
        explanation: """
            A read brings no document along: request.resource does not exist in get and list, and using it is an error, \
            which denies. The stored document is resource. Where one statement allows reads and writes, split it.
            """,
        wrong: """
            match /notes/{note} {
              allow read: if request.resource.data.owner == request.auth.uid;
            }
            """,
        right: """
            match /notes/{note} {
              allow read: if resource.data.owner == request.auth.uid;
            }
            """,
        check: { rules, report in
            let failures = rules.failures(.newResourceInRead, in: [.get, .list])
            for (statement, site) in failures {
                let words =
                    statement.methods.intersection(.write).isEmpty ? "" : ", and give reads a statement of their own"
                report(
                    rules.conditions.place(site, in: statement),
                    "request.resource does not exist in reads, so that this is always an error there: use "
                        + "resource\(words)", nil)
            }
        })
}

extension RulesOutline {
    /// The expressions that always fail in requests of some methods, without which a statement cannot allow any of them.
    func failures(
        _ failure: Possibility.Failure, in methods: [RequestMethod]
    ) -> [(statement: OutlinedStatement, site: Site)] {
        var found: [(OutlinedStatement, Site)] = []
        for statement in statements {
            let own = methods.filter { statement.methods.contains(MethodSet($0)) }
            guard !own.isEmpty, statement.condition != nil else { continue }
            var first: Site?
            let mayHold = own.contains { method in
                let result = conditions.reached(statement, method)
                if first == nil { first = result.reader.failures.first { $0.failure == failure }?.site }
                return result.truths.mayBeTrue
            }
            if !mayHold, let first { found.append((statement, first)) }
        }
        return found
    }
}
