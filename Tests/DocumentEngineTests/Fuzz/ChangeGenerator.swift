// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import TestSupport

/// Random writes: documents appear, disappear and come back; fields change type, lose elements or disappear.
struct ChangeGenerator {
    let documents: DocumentGenerator

    func writes(_ current: [DocumentPath: Fields], _ random: inout SeededGenerator) -> [Write] {
        // Sorted, because a dictionary's order differs from run to run and the seed must repeat the writes.
        let paths = current.keys.sorted { NaiveOrder.compare($0.resource, $1.resource) < 0 }
        return (0..<random.int(1..<12)).flatMap { _ -> [Write] in
            guard !paths.isEmpty, random.chance(0.85) else {
                return [.set(documents.path(&random), documents.fields(&random))]
            }
            let path = random.pick(paths)
            switch random.int(0..<8) {
            case 0: return [Write(path, .delete)]
            case 1: return [Write(path, .delete), .set(path, documents.fields(&random))]
            case 2: return [.set(path, documents.fields(&random))]
            case 3: return [.set(path, current[path] ?? .empty)]
            case 4, 5: return [Write(path, masked(&random))]
            default: return [Write(path, transformed(&random))]
            }
        }
    }

    /// Sets or deletes a few fields and keeps the others.
    private func masked(_ random: inout SeededGenerator) -> Write.Operation {
        var fields = Fields()
        var mask: [FieldPath] = []
        for _ in 0..<random.int(1..<3) {
            let path = random.pick(DocumentGenerator.paths.dropLast(1))
            // A mask cannot contain a path and another path inside it.
            guard !mask.contains(where: { $0.isPrefix(of: path) || path.isPrefix(of: $0) }) else { continue }
            mask.append(path)
            if random.chance(0.3) { continue }
            fields.set(random.chance(0.6) ? documents.plain(&random) : documents.values.value(&random), at: path)
        }
        return .update(fields, mask: mask, transforms: [])
    }

    private func transformed(_ random: inout SeededGenerator) -> Write.Operation {
        let elements = (0..<random.int(1..<3)).map { _ in documents.plain(&random) }
        let transform: FieldTransform =
            switch random.int(0..<4) {
            case 0: FieldTransform("tags", .appendMissingElements(elements))
            case 1: FieldTransform("tags", .removeAllFromArray(elements))
            case 2: FieldTransform(random.pick(["a", "m.x"]), .increment(.integer(Int64(random.int(-2..<3)))))
            default: FieldTransform("b", .serverTimestamp)
            }
        return .update(.empty, mask: [], transforms: [transform])
    }
}
