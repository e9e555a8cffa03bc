// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let uncheckedTypes = SecurityLintRule(
        id: "unchecked-types", severity: .note, title: "fields whose values nothing checks",
        explanation: """
            The condition lists the fields that a document may have, but says nothing of the values of some of them: they \
            may be of any type, null, or a megabyte long, and programs that read them may fail. Add field is string (int, \
            timestamp, …), and a bound of the size where it matters.
            """,
        wrong: """
            match /notes/{note} {
              allow create: if request.auth != null
                && request.resource.data.keys().hasOnly(['text']);
            }
            """,
        right: """
            match /notes/{note} {
              allow create: if request.auth != null
                && request.resource.data.keys().hasOnly(['text'])
                && request.resource.data.text is string;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            let writes: MethodSet = [MethodSet(.create), MethodSet(.update)]
            for statement in rules.statements(allowing: writes) {
                guard let condition = statement.condition else { continue }
                var mentioned: Set<Text> = []
                var lists: [(names: [Text], site: Site)] = []
                var isOpaque = false
                conditions.visit(condition) { site in
                    if let field = conditions.field(site, isNew: true) {
                        if let name = field.first { mentioned.insert(name) }
                    }
                    guard case .method(let receiver, let name, let arguments) = conditions.kind(site) else { return }
                    if name == "hasOnly", let argument = arguments.first {
                        let whole = readsWhole(conditions.sibling(receiver, of: site), conditions)
                        if let names = conditions.strings(conditions.sibling(argument, of: site)), whole {
                            lists.append((names, site))
                        }
                    }
                    if name == "values" { isOpaque = true }
                }
                for (names, site) in lists where !isOpaque {
                    let unchecked = names.filter { !mentioned.contains($0) }
                    guard !unchecked.isEmpty else { continue }
                    let shown = unchecked.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
                    report(
                        conditions.place(site, in: statement),
                        "nothing checks the values of \(shown)\(unchecked.count > 5 ? " and others" : ""): add "
                            + "request.resource.\(unchecked[0].string.behindData) is string, or whatever it is", nil)
                }
            }
        })

    /// Whether a set of keys is that of the new document, not of a map in it.
    private static func readsWhole(_ site: Site, _ conditions: ConditionReader) -> Bool {
        let site = conditions.resolved(site)
        guard case .method(let receiver, _, _) = conditions.kind(site) else {
            return conditions.field(site, isNew: true)?.isEmpty == true
        }
        return readsWhole(conditions.sibling(receiver, of: site), conditions)
    }
}
