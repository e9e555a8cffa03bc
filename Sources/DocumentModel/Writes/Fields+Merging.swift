// SPDX-License-Identifier: Apache-2.0

extension Fields {
    /// The fields after an update: all new without a mask (W-2), else the masked paths (W-3).
    package static func merged(_ old: Fields?, _ new: Fields, mask: [FieldPath]?) -> Fields {
        guard let mask else { return new }
        // In order, so that one pass is enough: paths through a field are together, after that of the field itself.
        return merged(old ?? .empty, new, mask.sorted()[...], depth: 0)
    }

    /// - Parameters:
    ///   - paths: in order, with the same names down to these fields.
    ///   - depth: the number of those names.
    private static func merged(
        _ old: Fields, _ new: Fields, _ paths: ArraySlice<FieldPath>, depth: Int
    ) -> Fields {
        var fields: [Field] = []
        fields.reserveCapacity(old.count)
        var next = 0
        var paths = paths
        while let path = paths.first {
            let name = path.segments[depth]
            let isWhole = path.segments.count == depth + 1
            let through = paths.prefix { $0.segments[depth] == name }
            paths = paths[through.endIndex...]
            let found = old.lowerBound(name, in: next..<old.count)
            fields += old.storage[next..<found]
            let isThere = found < old.count && old.storage[found].name == name
            next = isThere ? found + 1 : found
            let stored = isThere ? old.storage[found].value : nil
            let value = isWhole ? new[name] : merged(stored, new[name], through, depth: depth + 1)
            if let value { fields.append(Field(name, value)) }
        }
        fields += old.storage[next...]
        return Fields(sorted: fields)
    }

    private static func merged(
        _ old: Value?, _ new: Value?, _ paths: ArraySlice<FieldPath>, depth: Int
    ) -> Value? {
        let (map, newMap) = (old?.map, new?.map)
        // A path may have more names than there are maps, or frames on the stack.
        if map == nil, newMap == nil { return old }
        let fields = merged(map ?? .empty, newMap ?? .empty, paths, depth: depth)
        // Removing from what is no map changes nothing. From a map, it keeps one that becomes empty.
        return map == nil && fields.isEmpty ? old : .map(fields)
    }
}

extension Value {
    fileprivate var map: Fields? {
        if case .map(let fields) = self { fields } else { nil }
    }
}
