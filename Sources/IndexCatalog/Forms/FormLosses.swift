// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What the canonical tree of an index file says and Terraform's resources and gcloud's commands, as written here, do not.
package enum FormLosses {
    /// The first of them, in words; nil if there is none.
    package static func first(in tree: JSONNode) -> String? {
        for entry in tree["indexes"]?.elements ?? [] {
            let fields = entry["fields"]?.elements ?? []
            guard let field = fields.first(where: { $0["searchConfig"] != nil }) else { continue }
            return "an index of \(name(entry["collectionGroup"])) has a searchConfig for \(name(field["fieldPath"]))"
        }
        for entry in tree["fieldOverrides"]?.elements ?? [] {
            let keys = (entry["indexes"]?.elements ?? []).flatMap { $0.members ?? [] }.map(\.key)
            guard let key = keys.first(where: { IndexOptions.keys.contains($0) }) else {
                continue
            }
            let field = "\(name(entry["fieldPath"])) in \(name(entry["collectionGroup"]))"
            return "the override of \(field) has an index with \(key)"
        }
        return nil
    }

    private static func name(_ node: JSONNode?) -> String { "\"\(node?.string ?? "")\"" }
}
