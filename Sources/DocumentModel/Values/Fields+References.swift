// SPDX-License-Identifier: Apache-2.0

extension Fields {
    /// The fields, with references to documents of one database leading to those of another. Other references stay.
    package func movingReferences(from old: DatabaseID, to new: DatabaseID) -> Fields {
        guard old != new, storage.contains(where: { $0.value.refers(to: old) }) else { return self }
        return Fields(sorted: storage.map { Field($0.name, $0.value.movingReferences(from: old, to: new)) })
    }
}

extension Value {
    /// Whether the value is or contains a reference to a document of a database.
    package func refers(to database: DatabaseID) -> Bool {
        containsReference { $0.database == database }
    }

    /// Whether the value is or contains a reference that fulfils a condition.
    package func containsReference(where condition: (Reference) -> Bool) -> Bool {
        switch self {
        case .reference(let reference): condition(reference)
        case .array(let elements): elements.contains { $0.containsReference(where: condition) }
        case .map(let fields): fields.contains { $0.value.containsReference(where: condition) }
        default: false
        }
    }

    fileprivate func movingReferences(from old: DatabaseID, to new: DatabaseID) -> Value {
        switch self {
        case .reference(let reference) where reference.database == old:
            .reference(Reference(database: new, path: reference.path))
        case .array(let elements): .array(elements.map { $0.movingReferences(from: old, to: new) })
        case .map(let fields): .map(fields.movingReferences(from: old, to: new))
        default: self
        }
    }
}
