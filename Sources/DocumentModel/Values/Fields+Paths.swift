// SPDX-License-Identifier: Apache-2.0

extension Fields {
    /// Sets or, with nil, removes the value at a path. Setting makes the maps on the way, replacing what is no map; removing
    /// leaves emptied maps.
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
        var inner: Fields
        if case .map(let existing)? = self[name] {
            inner = existing
        } else {
            guard value != nil else { return }
            inner = .empty
        }
        inner.set(value, rest)
        self[name] = .map(inner)
    }

    /// Only the fields at these paths, with the maps that enclose them.
    package func selecting(_ paths: [FieldPath]) -> Fields {
        var selected = Fields.empty
        for path in paths {
            if let value = self[path] { selected.set(value, at: path) }
        }
        return selected
    }
}
