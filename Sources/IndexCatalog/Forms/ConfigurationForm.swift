// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The languages in which people write index definitions. All are read as the tree of a `firestore.indexes.json`, whose
/// nodes keep their places in the source.
package enum ConfigurationForm: String, Sendable, CaseIterable {
    case json
    /// Resources `google_firestore_index` and `google_firestore_field`.
    case terraform
    /// Lines `gcloud firestore indexes composite create` and the like, as in a shell script.
    case gcloud
    /// What `gcloud firestore indexes composite list --format=json` prints.
    case listing

    /// Some editors begin a file with it, in UTF-8.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The form of a source, by its first characters and the words that it must contain.
    package static func of(_ source: [UInt8]) -> ConfigurationForm {
        switch firstSignificantByte(source) {
        case UInt8(ascii: "["): return .listing
        case UInt8(ascii: "{"), nil: return .json
        default: break
        }
        if contains("google_firestore_", source) { return .terraform }
        return contains("gcloud", source) ? .gcloud : .json
    }

    /// The first byte outside of white space and comments, behind a byte order mark; nil if there is none, or a comment is not closed.
    private static func firstSignificantByte(_ source: [UInt8]) -> UInt8? {
        var rest = source.starts(with: byteOrderMark) ? source.dropFirst(byteOrderMark.count) : source[...]
        while let byte = rest.popFirst() {
            if JSONParser.isWhiteSpace(byte) { continue }
            guard byte == UInt8(ascii: "/") else { return byte }
            switch rest.popFirst() {
            case UInt8(ascii: "/"): rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case UInt8(ascii: "*"):
                guard let end = rest.firstRange(of: [UInt8(ascii: "*"), UInt8(ascii: "/")]) else { return nil }
                rest = rest[end.upperBound...]
            default: return byte
            }
        }
        return nil
    }

    private static func contains(_ word: StaticString, _ source: [UInt8]) -> Bool {
        source.firstRange(of: Array(word.description.utf8)) != nil
    }

    /// The tree of a source.
    ///
    /// - Parameter commas: gets the offsets of trailing commas.
    package static func tree(
        _ source: [UInt8], notingTrailingCommas commas: inout [Int]
    ) throws(JSONSyntaxError) -> JSONNode {
        try read(source, notingTrailingCommas: &commas).root
    }

    /// The tree of a source, and the resources that it leaves out, in the order of the source.
    ///
    /// - Parameter commas: gets the offsets of trailing commas.
    package static func read(
        _ source: [UInt8], notingTrailingCommas commas: inout [Int]
    ) throws(JSONSyntaxError) -> (root: JSONNode, unreadable: [UnreadableResource]) {
        switch of(source) {
        case .json: return (try JSONParser.parse(source, notingTrailingCommas: &commas), [])
        case .listing:
            let root = try JSONParser.parse(source, notingTrailingCommas: &commas)
            return (IndexListing.isOne(root) ? IndexListing.tree(root) : root, [])
        case .terraform: return try TerraformReader.read(source)
        case .gcloud: return (try GcloudReader.tree(source), [])
        }
    }
}
