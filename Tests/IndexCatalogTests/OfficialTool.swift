// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText

/// A model of the official tool, written from the rules (J-8 to J-20, J-23, J-24). It uses only Hearth's JSON
/// reader.
struct OfficialTool {
    /// The composites that the tool would have the backend create, each by what distinguishes indexes. Excludes entries
    /// that the tool refuses, and those that the backend calls unnecessary (J-32).
    private(set) var composites: Set<Text> = []
    /// The field overrides that it would send, in order.
    private(set) var overrides: [Text] = []
    /// Whether the tool accepts every entry of `indexes`.
    private(set) var acceptsEveryIndex = true

    /// Nil for text that is not JSON. Skips a trailing comma, for which the tool refuses the whole file.
    init?(_ source: [UInt8]) {
        var commas: [Int] = []
        guard let root = try? JSONParser.parse(source, notingTrailingCommas: &commas) else { return nil }
        for entry in root["indexes"]?.elements ?? [] {
            if let composite = Composite(entry) {
                if !composite.isUnnecessary { composites.insert(composite.identity) }
            } else {
                acceptsEveryIndex = false
            }
        }
        overrides = (root["fieldOverrides"]?.elements ?? []).compactMap(Self.override)
    }

    private static func override(_ node: JSONNode) -> Text? {
        guard let group = node["collectionGroup"], isTruthy(group), let path = node["fieldPath"], isTruthy(path),
            let indexes = node["indexes"]?.elements, node["ttl"].map({ $0.boolean != nil }) ?? true
        else { return nil }
        var modes: Set<String> = []
        for index in indexes {
            guard isOneOf(["order", "arrayConfig"], index), isFine(index, "order", ["ASCENDING", "DESCENDING"]),
                isFine(index, "arrayConfig", ["CONTAINS"]),
                isFine(index, "queryScope", ["COLLECTION", "COLLECTION_GROUP"])
            else { return nil }
            let rest = ["queryScope", "apiScope", "density", "multikey", "unique", "order", "arrayConfig"]
            modes.insert(rest.map { index[$0]?.text() ?? "" }.joined(separator: ","))
        }
        return Text("\(group.text()) \(path.text()) \(node["ttl"]?.text() ?? "") \(modes.sorted())")
    }

    static func isTruthy(_ node: JSONNode?) -> Bool {
        guard let node else { return false }
        return !node.isNull && node.boolean != false && node.string != ""
            && node.number.map { Double($0.text) != 0 } ?? true
    }

    static func isOneOf(_ keys: [String], _ node: JSONNode) -> Bool { keys.count { isTruthy(node[$0]) } == 1 }

    /// J-15: a present value must be in the list.
    static func isFine(_ node: JSONNode, _ key: String, _ allowed: [String]) -> Bool {
        guard let value = node[key], isTruthy(value) else { return true }
        return value.string.map(allowed.contains) ?? false
    }
}

private struct Composite {
    let identity: Text
    let isUnnecessary: Bool

    /// Nil if the tool refuses it.
    init?(_ node: JSONNode) {
        let group = [node["collectionGroup"], node["collectionId"]].first(where: OfficialTool.isTruthy)
        let scope = OfficialTool.isTruthy(node["queryScope"]) ? node["queryScope"]?.string ?? "?" : "COLLECTION"
        guard let group, let group, ["COLLECTION", "COLLECTION_GROUP"].contains(scope),
            OfficialTool.isFine(node, "apiScope", ["ANY_API", "DATASTORE_MODE_API", "MONGODB_COMPATIBLE_API"]),
            OfficialTool.isFine(node, "density", ["DENSITY_UNSPECIFIED", "SPARSE_ALL", "SPARSE_ANY", "DENSE"]),
            node["multikey"].map({ $0.boolean != nil }) ?? true, node["unique"] == nil,
            let elements = node["fields"]?.elements
        else { return nil }
        let fields = elements.compactMap(Field.init)
        guard fields.count == elements.count else { return nil }
        let options = [
            Composite.option(node["apiScope"]) ?? "ANY_API",
            Composite.option(node["density"]).flatMap { $0 == "DENSITY_UNSPECIFIED" ? nil : $0 } ?? "SPARSE_ALL",
            String(node["multikey"]?.boolean ?? false),
        ]
        // The tool and the backend differ in the direction of an omitted __name__ (J-23).
        let lists = [Composite.lastOrder(fields), Composite.orderOfLast(fields)].map {
            Composite.withName(fields, $0).map(\.text).joined(separator: ",")
        }
        identity = Text("\(group.text()) \(scope) \(options) \(lists)")
        let full = Composite.withName(fields, Composite.orderOfLast(fields))
        isUnnecessary =
            full.count == 2 && full[1].path == "__name__" && !full[0].isVector
            && full[1].mode == (full[0].mode == "DESCENDING" ? full[0].mode : "ASCENDING")
    }

    private static func option(_ node: JSONNode?) -> String? { OfficialTool.isTruthy(node) ? node?.string : nil }

    private static func lastOrder(_ fields: [Field]) -> String { fields.last { $0.isOrder }?.mode ?? "ASCENDING" }

    private static func orderOfLast(_ fields: [Field]) -> String {
        let last = fields.last { !$0.isVector }
        return last.flatMap { $0.isOrder && !(fields.last?.isVector ?? false) ? $0.mode : nil } ?? "ASCENDING"
    }

    private static func withName(_ fields: [Field], _ order: String) -> [Field] {
        let place = fields.last?.isVector == true ? fields.count - 1 : fields.count
        guard place == 0 || fields[place - 1].path != "__name__" else { return fields }
        var all = fields
        all.insert(Field(path: "__name__", mode: order, isOrder: true, isVector: false), at: place)
        return all
    }
}

private struct Field {
    let path: String
    let mode: String
    let isOrder: Bool
    let isVector: Bool

    var text: String { "\(path) \(mode)" }

    init(path: String, mode: String, isOrder: Bool, isVector: Bool) {
        (self.path, self.mode, self.isOrder, self.isVector) = (path, mode, isOrder, isVector)
    }

    /// Nil if the tool refuses it.
    init?(_ node: JSONNode) {
        guard let pathNode = node["fieldPath"], OfficialTool.isTruthy(pathNode) else { return nil }
        let path = Field.plain(pathNode.string ?? pathNode.text())
        switch ["order", "arrayConfig", "vectorConfig", "searchConfig"].first(where: { OfficialTool.isTruthy(node[$0]) }
        ) {
        case "vectorConfig":
            guard let vector = node["vectorConfig"], let dimension = vector["dimension"]?.number,
                OfficialTool.isTruthy(vector["flat"])
            else { return nil }
            self.init(path: path, mode: "\(Double(dimension.text) ?? -1)", isOrder: false, isVector: true)
        case "searchConfig": return nil
        case let key?:
            let allowed = key == "order" ? ["ASCENDING", "DESCENDING"] : ["CONTAINS"]
            guard let mode = node[key]?.string, allowed.contains(mode) else { return nil }
            self.init(path: path, mode: mode, isOrder: key == "order", isVector: false)
        case nil:
            guard let mode = node["mode"]?.string, ["ASCENDING", "DESCENDING", "ARRAY_CONTAINS"].contains(mode) else {
                return nil
            }
            let isArray = mode == "ARRAY_CONTAINS"
            self.init(path: path, mode: isArray ? "CONTAINS" : mode, isOrder: !isArray, isVector: false)
        }
    }

    /// Backticks around a simple name have no meaning.
    private static func plain(_ wire: String) -> String {
        let name = wire.dropFirst().dropLast()
        let isQuoted =
            wire.count > 2 && wire.hasPrefix("`") && wire.hasSuffix("`")
            && name.allSatisfy { $0.isLetter && $0.isASCII }
        return isQuoted ? String(name) : wire
    }
}
