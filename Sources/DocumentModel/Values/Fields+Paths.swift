// SPDX-License-Identifier: Apache-2.0

extension Fields {
    /// Sets the value at a path, or removes it if it is nil. Setting creates the maps on the path and replaces other
    /// values there. Removing keeps maps that become empty.
    package mutating func set(_ value: Value?, at path: FieldPath) {
        set(value, path.segments[...])
    }

    private mutating func set(_ value: Value?, _ path: ArraySlice<Text>) {
        guard let name = path.first else { return }
        let rest = path.dropFirst()
        guard !rest.isEmpty else {
            self[name] = value
            return
        }
        if changeMap(of: name, { $0.set(value, rest) }) || value == nil { return }
        var inner = Fields.empty
        inner.set(value, rest)
        self[name] = .map(inner)
    }

    /// The fields at these paths, with their enclosing maps.
    package func selecting(_ paths: [FieldPath]) -> Fields {
        Fields.merged(nil, self, mask: paths)
    }
}
