// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A document as an engine without Firestore's types would keep it: its ID and plain JSON.
struct PlainDocument {
    let id: String
    let json: [UInt8]

    /// Reads NDJSON in the lossless form. This is preparation: it is not timed.
    static func read(_ file: String) throws -> [PlainDocument] {
        let data = try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
        return try data.split(separator: UInt8(ascii: "\n")).map { line in
            guard let object = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                let name = object["name"] as? String, let fields = object["fields"] as? [String: Any]
            else { throw BenchmarkError("\(file) holds a line that is no document") }
            let plain = try JSONSerialization.data(withJSONObject: fields.mapValues(value), options: .sortedKeys)
            return PlainDocument(id: String(name.split(separator: "/").last ?? ""), json: Array(plain))
        }
    }

    private static func value(_ node: Any) -> Any {
        guard let (kind, content) = (node as? [String: Any])?.first else { return NSNull() }
        switch kind {
        case "integerValue": return (content as? String).flatMap { Int64($0) } ?? content
        case "arrayValue": return ((content as? [String: Any])?["values"] as? [Any] ?? []).map(value)
        case "mapValue": return ((content as? [String: Any])?["fields"] as? [String: Any] ?? [:]).mapValues(value)
        default: return content
        }
    }
}
