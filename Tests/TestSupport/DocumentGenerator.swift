// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Random documents of one small schema, so that queries over them find something: few field names, few values, missing
/// fields and several types in one field.
package struct DocumentGenerator: Sendable {
    package let values: ValueGenerator

    package init(values: ValueGenerator = ValueGenerator()) {
        self.values = values
    }

    /// Collections at the root and below documents, with one ID (`c`) in several places, some below missing documents.
    package static let collections: [CollectionPath] = [
        ["c"], ["d"], ["c", "a1", "c"], ["c", "a1", "d"], ["d", "b2", "c"], ["c", "a1", "c", "x", "c"],
        ["c", "__id7__", "c"],
    ].map { CollectionPath(ResourcePath(segments: $0)) }

    /// The fields that queries use; the last one does not exist.
    package static let paths: [FieldPath] = [
        "a", "b", "s", "tags", "m", "m.x", "m.y", "m.y.z", FieldPath(name: "a.b"), "wild", "emb", "absent",
    ]

    package func documents(_ count: Int, _ random: inout SeededGenerator) -> [DocumentPath: Fields] {
        var documents: [DocumentPath: Fields] = [:]
        for _ in 0..<count {
            documents[path(&random)] = fields(&random)
        }
        return documents
    }

    package func path(_ random: inout SeededGenerator) -> DocumentPath {
        let collection =
            random.chance(0.5) ? DocumentGenerator.collections[0] : random.pick(DocumentGenerator.collections)
        return collection.document(values.documentID(&random))
    }

    package func fields(_ random: inout SeededGenerator) -> Fields {
        var fields = Fields()
        for name: Text in ["a", "b"] where random.chance(0.8) { fields[name] = plain(&random) }
        if random.chance(0.6) { fields["s"] = .string(values.text(&random)) }
        if random.chance(0.6) { fields["tags"] = tags(&random) }
        if random.chance(0.5) { fields["m"] = map(&random) }
        if random.chance(0.3) { fields["a.b"] = plain(&random) }
        if random.chance(0.4) { fields["wild"] = values.value(&random) }
        if random.chance(0.3) { fields["emb"] = .vector(embedding(&random)) }
        return fields
    }

    /// Values from a domain so small that equal values are common: integers and doubles, null, NaN, strings. A few are
    /// long strings with common prefixes.
    package func plain(_ random: inout SeededGenerator) -> Value {
        if values.allowsLong, random.chance(values.longShare / 2) { return .string(values.longText(&random)) }
        return random.pick([
            .integer(0), .integer(1), .integer(2), .integer(3), .double(0), .double(-0.0), .double(1), .double(1.5),
            .double(2), .double(.nan), .null, .boolean(true), .string("a"), .string("b"), .string(""),
        ])
    }

    private func tags(_ random: inout SeededGenerator) -> Value {
        if random.chance(0.15) { return plain(&random) }
        return .array((0..<random.int(0..<5)).map { _ in plain(&random) })
    }

    private func map(_ random: inout SeededGenerator) -> Value {
        if random.chance(0.1) { return plain(&random) }
        var fields = Fields()
        if random.chance(0.7) { fields["x"] = plain(&random) }
        if random.chance(0.5) { fields["y"] = random.chance(0.5) ? plain(&random) : .map(["z": plain(&random)]) }
        return .map(fields)
    }

    private func embedding(_ random: inout SeededGenerator) -> [Double] {
        (0..<random.int(2..<4)).map { _ in Double(random.int(-2..<3)) }
    }
}
