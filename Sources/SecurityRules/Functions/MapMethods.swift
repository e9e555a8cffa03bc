// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

enum MapMethods {
    static func call(
        _ method: Method, _ map: RuleMap, _ arguments: [RuleValue]
    ) throws(EvaluationError) -> RuleValue? {
        switch (method, arguments.count) {
        case (.size, 0): return .int(Int64(map.count))
        case (.keys, 0): return .list(RuleList(map.keys.map(RuleValue.string)))
        case (.values, 0): return .list(RuleList(map.entries.map(\.value)))
        case (.diff, 1):
            guard case .map(let other) = arguments[0] else { return nil }
            return .mapDiff(MapDiff(left: map, right: other))
        case (.get, 2):
            switch arguments[0] {
            case .string(let key): return map[key] ?? arguments[1]
            case .list(let keys): return try get(keys, of: map) ?? arguments[1]
            default: return nil
            }
        default: return nil
        }
    }

    /// The value at a path of keys; nil if the path leads nowhere.
    private static func get(_ keys: RuleList, of map: RuleMap) throws(EvaluationError) -> RuleValue? {
        var value: RuleValue? = .map(map)
        for key in keys {
            guard case .string(let name) = key else {
                throw .typeMismatch(received: key.type.rawValue, expected: "string")
            }
            guard case .map(let inner)? = value else {
                value = nil
                continue
            }
            value = inner[name]
        }
        return value
    }
}

/// Differences are shallow. Values compare loosely.
enum MapDiffMethods {
    static func call(
        _ method: Method, _ diff: MapDiff, _ arguments: [RuleValue]
    ) throws(EvaluationError) -> RuleValue? {
        guard arguments.isEmpty else { return nil }
        switch method {
        case .addedKeys: return keys(missing(in: diff.right, of: diff.left))
        case .removedKeys: return keys(missing(in: diff.left, of: diff.right))
        case .changedKeys: return keys(try common(diff, isChanged: true))
        case .unchangedKeys: return keys(try common(diff, isChanged: false))
        case .affectedKeys:
            let changed = try common(diff, isChanged: true)
            return keys(changed + missing(in: diff.left, of: diff.right) + missing(in: diff.right, of: diff.left))
        default: return nil
        }
    }

    private static func keys(_ names: [Text]) -> RuleValue { .set(RuleSetValue(names.map(RuleValue.string))) }

    private static func missing(in other: RuleMap, of map: RuleMap) -> [Text] {
        map.keys.filter { other[$0] == nil }
    }

    private static func common(_ diff: MapDiff, isChanged: Bool) throws(EvaluationError) -> [Text] {
        var names: [Text] = []
        for entry in diff.left.entries {
            guard let other = diff.right[entry.key] else { continue }
            for value in [entry.value, other] { if case .constraint = value { throw Operators.constraintEquality } }
            if entry.value.isSame(as: other, loosely: true) != isChanged { names.append(entry.key) }
        }
        return names
    }
}
