// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Writes the canonical tree of an index file as Terraform resources.
package enum TerraformWriter {
    package static func text(_ tree: JSONNode) -> String {
        var names = Names()
        var parts: [String] = []
        for entry in tree["indexes"]?.elements ?? [] {
            let words = (entry["fields"]?.elements ?? []).compactMap { $0["fieldPath"]?.string }
            let name = names.unique([group(entry)] + words)
            parts.append(block("resource \"google_firestore_index\" \"\(name)\"", index(entry)))
        }
        for entry in tree["fieldOverrides"]?.elements ?? [] {
            let name = names.unique([group(entry), entry["fieldPath"]?.string ?? ""])
            parts.append(block("resource \"google_firestore_field\" \"\(name)\"", override(entry)))
        }
        return parts.isEmpty
            ? "# No google_firestore_index and no google_firestore_field.\n" : parts.joined(separator: "\n\n") + "\n"
    }

    private static func group(_ entry: JSONNode) -> String { entry["collectionGroup"]?.string ?? "" }

    private static func index(_ entry: JSONNode) -> [String] {
        var lines = ["collection = \(quoted(group(entry)))"]
        for (key, name) in [("queryScope", "query_scope"), ("apiScope", "api_scope"), ("density", "density")] {
            if let value = entry[key]?.string { lines.append("\(name) = \(quoted(value))") }
        }
        for key in ["multikey", "unique"] { if entry[key]?.boolean == true { lines.append("\(key) = true") } }
        for field in entry["fields"]?.elements ?? [] { lines += ["", block("fields", self.field(field))] }
        return lines
    }

    private static func field(_ node: JSONNode) -> [String] {
        var lines = ["field_path = \(quoted(node["fieldPath"]?.string ?? ""))"]
        lines += modes(node)
        if let vector = node["vectorConfig"] {
            let dimension = vector["dimension"]?.number?.text ?? ""
            lines.append(block("vector_config", ["dimension = \(dimension)", "flat {}"]))
        }
        return lines
    }

    private static func modes(_ node: JSONNode) -> [String] {
        [("order", "order"), ("arrayConfig", "array_config"), ("queryScope", "query_scope")].compactMap { key, name in
            node[key]?.string.map { "\(name) = \(quoted($0))" }
        }
    }

    private static func override(_ entry: JSONNode) -> [String] {
        var lines = [
            "collection = \(quoted(group(entry)))", "field = \(quoted(entry["fieldPath"]?.string ?? ""))",
        ]
        let indexes = (entry["indexes"]?.elements ?? []).map { block("indexes", modes($0)) }
        lines += ["", indexes.isEmpty ? "index_config {}" : block("index_config", indexes)]
        if entry["ttl"]?.boolean == true { lines += ["", "ttl_config {}"] }
        return lines
    }

    private static func block(_ head: String, _ lines: [String]) -> String {
        let body = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        return "\(head) {\n\(body.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n"))\n}"
    }

    /// With Terraform's escapes; `${` and `%{` would begin a template.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map(escape).joined()
        return "\"\(escaped.replacing("${", with: "$${").replacing("%{", with: "%%{"))\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\\\"
        case "\"": "\\\""
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: String(scalar)
        }
    }

    /// Names of resources: letters, digits and underscores.
    private struct Names {
        private var seen: [String: Int] = [:]

        mutating func unique(_ words: [String]) -> String {
            let text = words.joined(separator: "_").map { character in
                character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
            }
            let name = String(text.first.map { $0.isNumber ? ["_"] + text : text } ?? ["_"]).lowercased()
            seen[name, default: 0] += 1
            let count = seen[name] ?? 1
            return count == 1 ? name : "\(name)_\(count)"
        }
    }
}
