// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport

/// The contents of a stored record.
struct StoredSample {
    var fields: Fields
    var createTime = Timestamp.minimum
    var updateTime = Timestamp.maximum
    var key: [UInt8] = Array("c\0d\0\0".utf8)
    var database = DatabaseID(project: "hearth")
    /// Selects the paths to look up.
    var pathSeed: UInt64 = 0

    func record() -> [UInt8] {
        StoredDocumentEncoder.record(
            of: fields, createTime: createTime, updateTime: updateTime, key: key, database: database)
    }
}

/// Random documents, and paths into them.
struct Documents {
    let values = ValueGenerator()

    func document(_ random: inout SeededGenerator) -> StoredSample {
        var fields = values.fields(&random, depth: 4)
        for number in 0..<random.int(0..<6) { fields[Text("f\(number)")] = values.value(&random) }
        return StoredSample(
            fields: fields, createTime: values.timestamp(&random), updateTime: values.timestamp(&random),
            key: values.bytes(&random), database: values.database, pathSeed: random.next())
    }

    /// Every path of the fields, and for each some paths that lead nowhere or through a value that is not a map.
    static func paths(_ fields: Fields, random seed: UInt64) -> [FieldPath] {
        var random = SeededGenerator(seed: seed)
        var paths: [FieldPath] = []
        collect(fields, under: [], into: &paths)
        let missing = paths.flatMap { path -> [FieldPath] in
            let last = path.segments[path.segments.count - 1]
            let siblings = [Text(last.string + "\0"), Text(String(last.string.unicodeScalars.dropLast())), "zz"]
            return [
                FieldPath(path.segments + [random.pick(["a", "value", ""])]),
                FieldPath(path.segments.dropLast() + [random.pick(siblings)]),
            ]
        }
        return paths + missing + ["nowhere", FieldPath(name: "")]
    }

    private static func collect(_ fields: Fields, under parent: [Text], into paths: inout [FieldPath]) {
        for field in fields {
            paths.append(FieldPath(parent + [field.name]))
            if case .map(let inner) = field.value { collect(inner, under: parent + [field.name], into: &paths) }
        }
    }
}
