// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension LintRule {
    /// I-56 to I-59.
    static let enterpriseOnly = LintRule(
        id: "enterprise-only", severity: .error, title: "not for the Standard edition",
        explanation: """
            These need another kind of database than Firestore Standard in native mode: "density" other than SPARSE_ALL, \
            "multikey": true, "searchConfig" and "apiScope": "MONGODB_COMPATIBLE_API" the Enterprise edition, \
            "apiScope": "DATASTORE_MODE_API" Datastore mode. Standard refuses them, and no query of Standard could use such \
            an index. For a database of the Enterprise edition, say --edition enterprise, or mongodb for one with the \
            MongoDB interface, or write "edition" beside the file's name in firebase.json, or into .hearth.json.
            """,
        check: { tree, report in
            tree.forEachObject { object in
                for member in object.members where object.shape.key(member.key) != nil {
                    guard let advice = advice(member, tree.edition) else { continue }
                    report(member.node.offset, advice)
                }
            }
        })

    private static func advice(_ member: JSONMember, _ edition: Edition) -> String? {
        let isDatastore = member.key == "apiScope" && member.node.string == "DATASTORE_MODE_API"
        guard edition == .standard || isDatastore else { return nil }
        return switch (member.key, member.node.string, member.node.boolean) {
        case ("density", "SPARSE_ANY"?, _), ("density", "DENSE"?, _):
            "the Standard edition has only \"density\": \"SPARSE_ALL\", where a document without one of the fields has no "
                + "entry: leave the key out, or check with --edition enterprise"
        case ("multikey", _, true?):
            "\"multikey\" belongs to the MongoDB interface of the Enterprise edition: leave it out, or check with --edition mongodb"
        case ("apiScope", "MONGODB_COMPATIBLE_API"?, _):
            "\"MONGODB_COMPATIBLE_API\" belongs to the Enterprise edition: leave the key out, or check with --edition mongodb"
        case ("apiScope", "DATASTORE_MODE_API"?, _):
            "\"DATASTORE_MODE_API\" belongs to databases in Datastore mode: leave the key out"
        case ("searchConfig", _, _) where member.node.members != nil:
            "\"searchConfig\" belongs to the Enterprise edition: remove this field, or check with --edition enterprise"
        default: nil
        }
    }
}
