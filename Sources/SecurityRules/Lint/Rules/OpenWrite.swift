// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

extension SecurityLintRule {
    static let openWrite = SecurityLintRule(
        id: "open-write", severity: .warning, title: "everybody may write",
        explanation: """
            The statement lets everybody on the internet write what they like, without signing in: overwrite and delete the \
            data of others, and fill the database at your cost. Say who may write, and what.
            """,
        wrong: """
            match /messages/{message} {
              allow write: if true;
            }
            """,
        right: """
            match /messages/{message} {
              allow create: if request.auth != null
                && request.resource.data.author == request.auth.uid
                && request.resource.data.keys().hasOnly(['author', 'text'])
                && request.resource.data.text is string;
            }
            """,
        check: { rules, report in
            for statement in rules.statements(allowing: .write) where rules.conditions.holdsAlways(statement) {
                let verbs = statement.methods.intersection(.write).words
                report(
                    statement.position,
                    "everybody may \(verbs) \(statement.pattern.shortText): say who may, and which data", nil)
            }
        })
}

extension MethodSet {
    /// `create and update`, `read`.
    var words: String {
        var rest = self
        var words: [String] = []
        for (name, group) in [("read", MethodSet.read), ("write", MethodSet.write)] where rest.isSuperset(of: group) {
            words.append(name)
            rest.subtract(group)
        }
        words += RequestMethod.allCases.filter { rest.contains(MethodSet($0)) }.map(\.rawValue)
        return words.joined(separator: " and ")
    }
}
