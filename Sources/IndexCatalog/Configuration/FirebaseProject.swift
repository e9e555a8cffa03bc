// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import JSONText

/// What a `firebase.json` says about Firestore: its databases and the files of each.
package struct FirebaseProject: Sendable {
    package struct Database: Sendable {
        package let id: Text
        package let offset: Int
        /// The path of the index file as written, relative to the folder of `firebase.json`.
        package let indexes: String?
        package let indexesOffset: Int
        /// The path of the rules as written.
        package let rules: String?
        /// Whether it has a target in place of an ID: which database that is, a `.firebaserc` says.
        package let isTarget: Bool
        package let edition: Edition
        /// Whether it is written there; else it is what the official tool takes.
        package let saysEdition: Bool
    }

    /// In source order.
    package private(set) var databases: [Database] = []
    package private(set) var findings: [LintFinding] = []

    /// Whether a file is a `firebase.json`, by what it contains.
    package static func isOne(_ root: JSONNode) -> Bool {
        root["indexes"] == nil && root["fieldOverrides"] == nil
            && ["firestore", "hosting", "functions", "emulators"].contains { root[$0] != nil }
    }

    package init(_ root: JSONNode) {
        guard let node = root["firestore"] else { return }
        guard node.members != nil || node.elements != nil else {
            report(.wrongType, node, "\"firestore\" must be an object or an array of objects, not \(node.kind)")
            return
        }
        var seen: Set<Text> = []
        for entry in node.elements ?? [node] {
            guard entry.members != nil else {
                report(.wrongType, entry, "a database must be an object, not \(entry.kind)")
                continue
            }
            read(entry, isOneOfSeveral: node.elements != nil, &seen)
        }
    }

    private mutating func read(_ entry: JSONNode, isOneOfSeveral: Bool, _ seen: inout Set<Text>) {
        for key in ["database", "target", "rules", "indexes", "location", "edition", "dataAccessMode"] {
            guard let value = entry[key], value.string == nil else { continue }
            report(.wrongType, value, "\(quoted(key)) must be a string, not \(value.kind)")
        }
        let name = entry["database"]?.string
        if isOneOfSeveral, name == nil, entry["target"]?.string == nil {
            report(.missingKey, entry, "one of several databases needs \"database\", its ID, or \"target\": add it")
        }
        if let name, let node = entry["database"], !FirebaseProject.isDatabaseID(name) {
            report(
                .invalidDatabaseID, node,
                "\(quoted(name)) cannot be a database ID: use \"(default)\" or 4 to 63 of a-z, 0-9 and -, a letter first"
            )
        }
        let id = Text(name ?? "(default)")
        if entry["target"]?.string == nil, !seen.insert(id).inserted {
            report(
                .repeatedDatabase, entry["database"] ?? entry, "\(quoted(id.string)) is already there: merge the two")
        }
        databases.append(
            Database(
                id: id, offset: entry.offset, indexes: entry["indexes"]?.string,
                indexesOffset: entry["indexes"]?.offset ?? entry.offset,
                rules: entry["rules"]?.string, isTarget: name == nil && entry["target"]?.string != nil,
                edition: edition(entry),
                saysEdition: entry["edition"]?.string != nil || entry["dataAccessMode"]?.string != nil))
    }

    private mutating func edition(_ entry: JSONNode) -> Edition {
        let isMongo = entry["dataAccessMode"]?.string?.uppercased() == "MONGODB_COMPATIBLE"
        guard let node = entry["edition"], let name = node.string else { return isMongo ? .mongodb : .standard }
        switch name.lowercased() {
        case "standard": return .standard
        case "enterprise": return isMongo ? .mongodb : .enterprise
        default:
            let nearest = nearestWord(to: name, among: ["standard", "enterprise"])
            report(
                .badEnumeration, node,
                "\"edition\" cannot be \(quoted(name)): "
                    + (nearest.map { "did you mean \(quoted($0))?" } ?? "use \"standard\" or \"enterprise\""))
            return .standard
        }
    }

    private static func isDatabaseID(_ name: String) -> Bool {
        guard name != "(default)" else { return true }
        let plain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        let first = name.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
        return plain && first && (4...63).contains(name.utf8.count) && !name.hasSuffix("-")
    }

    private mutating func report(_ rule: LintRule, _ node: JSONNode, _ message: String) {
        findings.append(LintFinding(rule: rule, offset: node.offset, message: message))
    }
}
