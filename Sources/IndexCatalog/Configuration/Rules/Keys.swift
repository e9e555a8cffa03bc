// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    static let unknownKey = LintRule(
        id: "unknown-key", severity: .warning, title: "unknown key",
        explanation: """
            The official tool drops keys that it does not know without a word (J-22), so a misspelt key is as good as \
            missing. Correct it, or remove it; notes belong in // comments. "$schema" is accepted at the top.
            """,
        check: { tree, report in
            tree.forEachObject { object in
                for member in object.members where object.shape.key(member.key) == nil {
                    report(
                        member.keyOffset,
                        "unknown key \(quoted(member.key)) in \(object.shape.noun): \(advice(member.key, object.shape))"
                    )
                }
            }
        })

    private static func advice(_ key: String, _ shape: ObjectShape) -> String {
        nearestWord(to: key, among: shape.keys.map(\.name)).map { "did you mean \(quoted($0))?" }
            ?? "nothing reads it, remove it"
    }

    static let repeatedKey = LintRule(
        id: "repeated-key", severity: .warning, title: "key given twice in one object",
        explanation: """
            If an object has a key twice, only the last counts, and the earlier value is dropped without a word. \
            Remove one of them; two sets of indexes belong in one array.
            """,
        check: { tree, report in
            tree.forEachObject { object in
                var seen: [Text: Int] = [:]
                for member in object.members {
                    let key = Text(member.key)
                    if let first = seen[key] {
                        report(
                            member.keyOffset,
                            "\(quoted(member.key)) is already at line \(tree.line(of: first)), and only this last one "
                                + "counts: remove one of them")
                    }
                    seen[key] = member.keyOffset
                }
            }
        })

    /// J-11 to J-13, J-17, J-18, and J-34 for the scope of an override.
    static let missingKey = LintRule(
        id: "missing-key", severity: .error, title: "required key missing or empty",
        explanation: """
            The official tool refuses a file in which a required key is missing, null or empty: "indexes" at the top; \
            "collectionGroup" and "fields" in an index; "fieldPath" in a field; "dimension" and "flat" in a vector \
            configuration; "collectionGroup", "fieldPath" and "indexes" in a field override, where [] is fine. An index of a \
            field override needs "queryScope", without which production answers that it must be specified.
            """,
        check: { tree, report in
            tree.forEachObject { object in
                var absent: [SchemaKey] = []
                for key in object.shape.keys {
                    guard case .required = key.need, !hasValue(of: key, in: object) else { continue }
                    if let node = object.node[key.name] {
                        report(
                            node.offset,
                            "\(quoted(key.name)) is empty: \(object.shape.noun) needs \(key.kind.noun) here")
                    } else {
                        absent.append(key)
                    }
                }
                guard !absent.isEmpty else { return }
                report(
                    object.node.offset,
                    "\(object.shape.noun) needs "
                        + absent.map { "\(quoted($0.name)), \($0.kind.noun)" }.joined(separator: "; ")
                        + (absent.count == 1 ? ": add it" : ": add them"))
            }
        })

    /// An empty string counts as missing. A value of the wrong type does not: `wrong-type` reports it.
    private static func hasValue(of key: SchemaKey, in object: ConfigurationTree.Object) -> Bool {
        if let node = object.node[key.name], !node.isNull, node.string != "" || !key.kind.isText { return true }
        return object.shape.keys.contains { other in
            if case .legacy(for: key.name) = other.need { object.node.present(other.name) != nil } else { false }
        }
    }
}
