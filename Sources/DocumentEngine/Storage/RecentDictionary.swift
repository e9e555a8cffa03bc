// SPDX-License-Identifier: Apache-2.0

/// A dictionary that compares each key with the last one before hashing it. Most lookups repeat the last key, and a
/// comparison is faster than a hash.
struct RecentDictionary<Key: Hashable, Value> {
    private(set) var all: [Key: Value]
    private var last: (key: Key, value: Value)?

    init(_ all: [Key: Value] = [:]) {
        self.all = all
    }

    subscript(key: Key) -> Value? {
        mutating get {
            if let last, last.key == key { return last.value }
            guard let value = all[key] else { return nil }
            last = (key, value)
            return value
        }
        set {
            all[key] = newValue
            last = newValue.map { (key, $0) }
        }
    }

    /// Adds a value, in place of all others if there are as many as `capacity`.
    mutating func add(_ value: Value, for key: Key, capacity: Int) {
        if all.count >= capacity { removeAll() }
        self[key] = value
    }

    mutating func removeAll() {
        all.removeAll(keepingCapacity: true)
        last = nil
    }
}

extension RecentDictionary: Sendable where Key: Sendable, Value: Sendable {}
