// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Collects the entries of an index file that another form defines.
struct ConfigurationTreeBuilder {
    private var indexes: [JSONNode] = []
    private var overrides: [JSONNode] = []
    private var database: String?

    /// To be called before what an entry defines is added: a file is read as the indexes of one database.
    ///
    /// - Parameter name: nil for the default one.
    mutating func enter(database name: String?, at offset: Int) throws(JSONSyntaxError) {
        let name = name ?? "(default)"
        if let database, database != name {
            throw JSONSyntaxError(
                message: "this is for the database \"\(name)\", what stands before it for \"\(database)\", and Hearth "
                    + "reads one database's indexes at a time: move them into a file of their own",
                offset: offset)
        }
        database = name
    }

    mutating func add(index: JSONNode) { indexes.append(index) }
    mutating func add(override: JSONNode) { overrides.append(override) }

    /// The whole file.
    func tree(length: Int) -> JSONNode {
        JSONNode(
            .object([
                JSONMember(key: "indexes", node: JSONNode(.array(indexes), range: 0..<length)),
                JSONMember(key: "fieldOverrides", node: JSONNode(.array(overrides), range: 0..<length)),
            ]), range: 0..<length)
    }

    /// The indexes of a field that no override changes.
    static func automaticIndexes(_ range: Range<Int>) -> JSONNode {
        let modes = [("order", "ASCENDING"), ("order", "DESCENDING"), ("arrayConfig", "CONTAINS")]
        let entries = modes.map { key, mode in
            JSONNode(
                .object([
                    JSONMember(key: key, keyOffset: range.lowerBound, node: JSONNode(.string(mode), range: range)),
                    JSONMember(
                        key: "queryScope", keyOffset: range.lowerBound,
                        node: JSONNode(.string("COLLECTION"), range: range)),
                ]), range: range)
        }
        return JSONNode(.array(entries), range: range)
    }
}
