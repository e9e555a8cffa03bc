// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

@Suite struct FieldsTests {
    /// Compares with a dictionary: building in any order, reading, changing, removing.
    @Test func behavesAsADictionaryInByteOrder() throws {
        let values = ValueGenerator(allowsLong: false)
        try check(
            count: Rounds.of(1_500),
            generate: { random in
                (0..<random.int(1..<15)).map { _ in
                    (values.text(&random), random.chance(0.3) ? nil : values.value(&random, depth: 0))
                }
            },
            shrink: Shrinker.array
        ) { (changes: [(Text, Value?)]) in
            var fields = Fields()
            var model: [Text: Value] = [:]
            for (name, value) in changes {
                fields[name] = value
                model[name] = value
            }
            guard fields.count == model.count, fields.isEmpty == model.isEmpty else { return "count" }
            for (name, _) in changes where fields[name] != model[name] { return "\(name)" }
            let names = fields.map(\.name)
            guard zip(names, names.dropFirst()).allSatisfy({ NaiveOrder.compare($0, $1) < 0 }) else { return "order" }
            guard Fields(fields.storage.reversed())?.isIdentical(to: fields) == true else { return "reversed" }
            return fields.isEmpty || Fields(fields.storage + [fields.storage[0]]) == nil ? nil : "repeated"
        }
    }

    /// Some names often, and names that canonical equivalence would take for one.
    @Test func theLastOfEachName() throws {
        try check(
            count: Rounds.of(1_500),
            generate: { random in
                (0..<random.int(0..<40)).map { number in
                    Field(random.pick(["a", "b", "e\u{301}", "\u{E9}"]), .integer(Int64(number)))
                }
            },
            shrink: Shrinker.array
        ) { (given: [Field]) in
            var expected = Fields()
            for field in given { expected[field.name] = field.value }
            return Fields(lastOfEach: given).isIdentical(to: expected) ? nil : "other fields"
        }
    }

    /// I-3: paths lead through maps only.
    @Test func pathsLeadThroughMapsOnly() {
        let fields: Fields = ["a": ["b": ["c": 1]], "a.b": 2, "l": [["b": 3]], "v": .vector([1])]
        #expect(fields["a.b.c" as FieldPath] == 1)
        #expect(fields["a.b" as FieldPath] == ["c": 1])
        #expect(fields[FieldPath(name: "a.b")] == 2)
        #expect(fields["l.b" as FieldPath] == nil)
        #expect(fields["v.value" as FieldPath] == nil)
        #expect(fields["a.b.c.d" as FieldPath] == nil)
    }

    @Test func settingMakesTheMapsOnTheWay() {
        var fields: Fields = ["n": 1]
        fields.set(2, at: "a.b.c")
        fields.set(3, at: "n.x")
        #expect(fields.isIdentical(to: ["a": ["b": ["c": 2]], "n": ["x": 3]]))
        fields.set(nil, at: "a.b.c")
        fields.set(nil, at: "a.q.c")
        fields.set(nil, at: "z.q")
        fields.set(nil, at: "n")
        #expect(fields.isIdentical(to: ["a": ["b": [:]]]))
    }

    /// A map that nobody else holds is changed where it is; a copy keeps its own.
    @Test func settingCopiesNoInnerMap() {
        var fields: Fields = ["a": ["b": ["c": 1, "d": 2]]]
        func address() -> UInt? {
            guard case .map(let map)? = fields["a.b" as FieldPath] else { return nil }
            return map.storage.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        }
        let before = address()
        fields.set(3, at: "a.b.c")
        #expect(before != nil && address() == before)
        let copy = fields
        fields.set(4, at: "a.b.c")
        #expect(address() != before)
        #expect(copy.isIdentical(to: ["a": ["b": ["c": 3, "d": 2]]]))
        #expect(fields.isIdentical(to: ["a": ["b": ["c": 4, "d": 2]]]))
    }

    ///
    @Test func selectingKeepsTheEnclosingMaps() {
        let fields: Fields = ["a": ["b": 1, "c": ["d": 2, "e": 3]], "f": 4, "l": [5]]
        #expect(fields.selecting([]).isEmpty)
        #expect(fields.selecting(["a.c.e", "f", "x", "a.x", "l.y"]).isIdentical(to: ["a": ["c": ["e": 3]], "f": 4]))
        #expect(fields.selecting(["a", "a.b"]).isIdentical(to: ["a": ["b": 1, "c": ["d": 2, "e": 3]]]))
        #expect(fields.selecting(["a.b", "a"]).isIdentical(to: ["a": ["b": 1, "c": ["d": 2, "e": 3]]]))
    }
}
