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
        return repeatedField(in: tree).map { "\($0) has several overrides" }
    }

    /// How many overrides say that there is no time to live, for which Terraform has no word: a google_firestore_field without a
    /// `ttl_config` has none.
    package static func countWithoutTimeToLive(in tree: JSONNode) -> Int {
        (tree["fieldOverrides"]?.elements ?? []).count { $0["ttl"]?.boolean == false }
    }

    /// How many overrides of a field say nothing of a time to live: a deployment leaves it as it is, and Terraform switches it off.
    package static func countOpenTimeToLive(in tree: JSONNode) -> Int {
        (tree["fieldOverrides"]?.elements ?? []).count { $0["ttl"] == nil && $0["fieldPath"]?.string != "*" }
    }

    /// A field with different overrides, which other forms would take for one after the other.
    private static func repeatedField(in tree: JSONNode) -> String? {
        var seen: Set<[String]> = []
        for entry in tree["fieldOverrides"]?.elements ?? [] {
            guard let group = entry["collectionGroup"]?.string, let path = entry["fieldPath"]?.string else { continue }
            if !seen.insert([group, path]).inserted {
                return "\(name(entry["fieldPath"])) in \(name(entry["collectionGroup"]))"
            }
        }
        return nil
    }

    private static func name(_ node: JSONNode?) -> String { "\"\(node?.string ?? "")\"" }
}
