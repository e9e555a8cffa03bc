// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Writes the canonical tree of an index file as gcloud commands, one a line.
package enum GcloudWriter {
    package static func text(_ tree: JSONNode) -> String {
        let indexes = (tree["indexes"]?.elements ?? []).map(index)
        let overrides = (tree["fieldOverrides"]?.elements ?? []).flatMap(override)
        let lines = indexes + overrides
        return lines.isEmpty ? "# No gcloud commands: there are no indexes.\n" : lines.map { $0 + "\n" }.joined()
    }

    private static func index(_ entry: JSONNode) -> String {
        var words = ["gcloud firestore indexes composite create", group(entry)]
        words.append("--query-scope=\(constant(entry["queryScope"]?.string ?? "COLLECTION"))")
        for (key, name) in [("apiScope", "api-scope"), ("density", "density")] {
            if let value = entry[key]?.string { words.append("--\(name)=\(constant(value))") }
        }
        for key in ["multikey", "unique"] { if entry[key]?.boolean == true { words.append("--\(key)") } }
        for field in entry["fields"]?.elements ?? [] {
            var parts = ["field-path=\(field["fieldPath"]?.string ?? "")"] + modes(field)
            if let vector = field["vectorConfig"] {
                let dimension = vector["dimension"]?.number?.text ?? ""
                parts.append(#"vector-config={"dimension":"\#(dimension)","flat":"{}"}"#)
            }
            words.append("--field-config=\(ShellWord.quoted(joined(parts)))")
        }
        return words.joined(separator: " ")
    }

    /// As gcloud splits an option, by commas outside of pairs of brackets; `^;^` before it names another separator.
    private static func joined(_ parts: [String]) -> String {
        // The first is the path. The brackets of a vector are in pairs.
        guard parts[0].contains(where: { ",{}[]".contains($0) }) else { return parts.joined(separator: ",") }
        let separators = [";", "|", "~", "!", "#"] + (2...9).map { String(repeating: ";", count: $0) }
        let separator = separators.first { one in !parts.contains { $0.contains(one) } } ?? ","
        return "^\(separator)^" + parts.joined(separator: separator)
    }

    private static func modes(_ node: JSONNode) -> [String] {
        [("order", "order"), ("arrayConfig", "array-config")].compactMap { key, name in
            node[key]?.string.map { "\(name)=\(constant($0))" }
        }
    }

    /// A time to live takes a command of its own.
    private static func override(_ entry: JSONNode) -> [String] {
        let field = ShellWord.quoted(entry["fieldPath"]?.string ?? "")
        let entries = entry["indexes"]?.elements ?? []
        let indexes = entries.map { index in
            let scope = "query-scope=\(constant(index["queryScope"]?.string ?? "COLLECTION"))"
            return "--index=\((modes(index) + [scope]).joined(separator: ","))"
        }
        let options = indexes.isEmpty ? ["--disable-indexes"] : indexes
        var lines = [
            (["gcloud firestore indexes fields update", field, group(entry)] + options).joined(separator: " ")
        ]
        if let timeToLive = entry["ttl"]?.boolean {
            let flag = timeToLive ? "--enable-ttl" : "--disable-ttl"
            lines.append("gcloud firestore fields ttls update \(field) \(group(entry)) \(flag)")
        }
        return lines
    }

    private static func group(_ entry: JSONNode) -> String {
        "--collection-group=\(ShellWord.quoted(entry["collectionGroup"]?.string ?? ""))"
    }

    private static func constant(_ text: String) -> String { text.lowercased().replacing("_", with: "-") }
}
