// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension LintRule {
    /// J-16, and likewise for every other key.
    static let wrongType = LintRule(
        id: "wrong-type", severity: .error, title: "value of the wrong type",
        explanation: """
            A key holds another type of value than it must: a string where an array belongs, a number where a boolean \
            belongs. The official tool or production refuses it.
            """,
        check: { tree, report in
            tree.forEachValue { value in
                guard !isFine(value) else { return }
                let what = value.key.map { quoted($0) } ?? (value.node.offset == tree.root.offset ? "the file" : "this")
                report(value.node.offset, "\(what) must be \(value.expected.noun), not \(value.node.kind)")
            }
        })

    /// Null means an omitted key, except where a boolean is expected that is not "multikey" (J-16).
    private static func isFine(_ value: ConfigurationTree.Value) -> Bool {
        switch value.expected {
        case .string, .enumeration: value.node.string != nil || isLeftOut(value)
        case .boolean: value.node.boolean != nil || (value.key == "multikey" && value.node.isNull)
        case .number: value.node.number != nil || isLeftOut(value)
        case .object, .anyObject: value.node.members != nil || isLeftOut(value)
        case .array: value.node.elements != nil || isLeftOut(value)
        }
    }

    private static func isLeftOut(_ value: ConfigurationTree.Value) -> Bool { value.key != nil && value.node.isNull }

    /// J-15.
    static let badEnumeration = LintRule(
        id: "bad-enum", severity: .error, title: "value outside its enumeration",
        explanation: """
            "queryScope" is COLLECTION or COLLECTION_GROUP, "order" is ASCENDING or DESCENDING, "arrayConfig" is CONTAINS; \
            "apiScope", "density", "indexType" and "matchType" have their own lists. Spelling and case count, and the \
            official tool refuses any other value.
            """,
        check: { tree, report in
            tree.forEachValue { value in
                guard case .enumeration(let allowed) = value.expected, let text = value.node.string, !text.isEmpty,
                    !allowed.contains(text)
                else { return }
                report(
                    value.node.offset,
                    "\(quoted(value.key ?? "")) cannot be \(quoted(text)): \(advice(text, allowed))")
            }
        },
        fix: { tree, _, edit in
            tree.forEachValue { value in
                guard case .enumeration(let allowed) = value.expected, let text = value.node.string,
                    !allowed.contains(text), let right = allowed.first(where: { $0 == text.uppercased() })
                else { return }
                edit(.replaceString(value.node.range, by: right))
            }
        })

    private static func advice(_ text: String, _ allowed: [String]) -> String {
        nearestWord(to: text, among: allowed).map { "did you mean \(quoted($0))?" }
            ?? "use " + list(allowed.map { quoted($0) })
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// J-14, J-20, and J-34 for composites: the official tool sends only one of their modes (J-10).
    static let oneOf = LintRule(
        id: "one-of-violation", severity: .error, title: "no mode, or more than one",
        explanation: """
            A field of an index has exactly one of "order", "arrayConfig" and "vectorConfig" (and, in the Enterprise \
            edition, "searchConfig"); an index of a field override has exactly one of "order" and "arrayConfig". With none \
            the official tool refuses the file. With two it drops one without a word in a composite index, where production \
            itself would refuse both.
            """,
        check: { tree, report in
            tree.forEachObject { object in
                guard !object.shape.exactlyOneOf.isEmpty else { return }
                let choices = object.shape.exactlyOneOf
                let given = object.members.filter { choices.contains($0.key) && $0.node.isTruthy }
                func names() -> String { list(choices.map { quoted($0) }) }
                if given.isEmpty, !hasLegacyMode(object) {
                    report(object.node.offset, "\(object.shape.noun) needs exactly one of \(names()): add one")
                } else if let second = given.first(where: { $0.key != given[0].key }) {
                    report(
                        second.keyOffset,
                        "\(object.shape.noun) has exactly one of \(names()): remove \(quoted(given[0].key)) or "
                            + quoted(second.key))
                }
            }
        })

    private static func hasLegacyMode(_ object: ConfigurationTree.Object) -> Bool {
        object.shape.key("mode") != nil && object.node.present("mode") != nil
    }

    static let noFields = LintRule(
        id: "no-fields", severity: .error, title: "index without fields",
        explanation: """
            A composite index needs at least two fields beside "__name__", and an index on "__name__" alone needs that one. \
            Production refuses an empty list, which the official tool lets through.
            """,
        check: { tree, report in
            for index in tree.indexes {
                guard let fields = index.fieldsNode, fields.elements?.isEmpty == true else { continue }
                report(fields.offset, "this index has no fields: add some, or remove the index")
            }
        })

    /// J-19.
    static let uniqueNotSupported = LintRule(
        id: "unique-not-supported", severity: .error, title: "unique indexes are not supported",
        explanation: """
            The Standard edition has no unique indexes, and the official tool refuses "unique" whatever its value. Remove \
            the key. To keep a value unique, use it as a document ID.

            The Enterprise edition has unique indexes, but the official tool still refuses the key: then it is a warning. \
            Create such an index in the console or with gcloud.
            """,
        check: { tree, report in
            tree.forEachObject { object in
                guard object.shape.key("unique") != nil else { return }
                for member in object.members where member.key == "unique" {
                    if tree.edition == .standard {
                        report(member.keyOffset, "\"unique\" is refused whatever its value: remove it")
                    } else if member.node.boolean != nil {
                        report(
                            member.keyOffset, as: .warning,
                            "firebase deploy refuses \"unique\" for now: create this index in the console or with gcloud"
                        )
                    }
                }
            }
        })
}
