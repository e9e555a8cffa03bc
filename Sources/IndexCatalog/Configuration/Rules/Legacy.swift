// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension LintRule {
    /// J-8 to J-10.
    static let legacyFormat = LintRule(
        id: "legacy-v1beta1", severity: .warning, title: "key of the v1beta1 format",
        explanation: """
            "collectionId" and "mode" are of a format that the official tool still upgrades when it deploys: "collectionId" \
            is "collectionGroup" today, "mode": "ASCENDING" is "order": "ASCENDING", and "mode": "ARRAY_CONTAINS" is \
            "arrayConfig": "CONTAINS". In field overrides they were never read.
            """,
        check: { tree, report in
            tree.forEachObject { object in
                for member in object.members {
                    guard case .legacy(let replacement)? = object.shape.key(member.key)?.need else { continue }
                    let isContains = member.node.string == "ARRAY_CONTAINS"
                    let today = isContains ? "\"arrayConfig\": \"CONTAINS\"" : quoted(replacement)
                    let advice =
                        isSuperseded(member.key, in: object)
                        ? "the newer key beside it counts, remove this one"
                        : "write \(today) instead"
                    report(member.keyOffset, "\(quoted(member.key)) is a key of the v1beta1 format: \(advice)")
                }
            }
        })

    private static func isSuperseded(_ key: String, in object: ConfigurationTree.Object) -> Bool {
        let newer = key == "mode" ? object.shape.exactlyOneOf : ["collectionGroup"]
        return newer.contains { object.node.present($0) != nil }
    }

    /// J-9.
    static let defaultScope = LintRule(
        id: "default-scope", severity: .note, title: "index without a scope",
        explanation: """
            An index without "queryScope" becomes one for single collections. Write "queryScope": "COLLECTION" so that \
            readers need not know.
            """,
        check: { tree, report in
            for index in tree.indexes where index.definition != nil && index.node.present("queryScope") == nil {
                report(index.node.offset, "no \"queryScope\": it becomes \"COLLECTION\", write it")
            }
        })
}
