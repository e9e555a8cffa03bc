// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

@Suite struct StoredDocumentTests {
    /// V-8: types are kept, including -0.0 and every NaN. Times come back, and each path gives the value that the
    /// decoded fields have.
    @Test func documentsComeBackIdentical() throws {
        let generator = Documents()
        try check(count: Rounds.of(5_000), generate: generator.document) { document in
            let record = document.record()
            let stored = try StoredDocument(
                record.span.bytes, key: document.key.span.bytes, database: document.database)
            guard try stored.createTime() == document.createTime, try stored.updateTime() == document.updateTime else {
                return "a time differs"
            }
            let fields = try stored.fields()
            guard fields.isIdentical(to: document.fields) else { return "decoded as \(fields)" }
            for path in Documents.paths(document.fields, random: document.pathSeed) {
                let (value, expected) = (try stored.value(at: path), document.fields[path])
                let agrees =
                    value.flatMap { found in expected.map(found.isIdentical) } ?? (value == nil && expected == nil)
                guard agrees else {
                    return "\(path) is \(String(describing: value)), not \(String(describing: expected))"
                }
            }
            return nil
        }
    }

    @Test func hardCasesComeBackIdentical() throws {
        let values = Array(HardCases.ascendingGroups.joined()) + KeyReaderTests.edges.map(Value.integer)
        for value in values {
            for fields: Fields in [["f": value], ["m": ["n": ["f": value]]], ["a": [["f": value]]]] {
                let document = StoredSample(fields: fields)
                let record = document.record()
                let stored = try StoredDocument(
                    record.span.bytes, key: document.key.span.bytes, database: document.database)
                #expect(try stored.fields().isIdentical(to: fields), "\(value)")
            }
        }
    }

    /// Wide directories: more than 64 KiB at the root, in a map, and at the boundary between the two forms.
    @Test(arguments: [65_000, 65_520, 65_526, 65_527, 65_528, 65_529, 65_530, 65_540, 200_000])
    func bigDocumentsComeBack(_ size: Int) throws {
        let long = Value.string(Text(String(repeating: "x", count: size)))
        let map: Value = ["a": long, "b": 1, "z": ["y": 2.5]]
        let document = StoredSample(fields: ["a": long, "b": [long, 3], "m": map, "z": true])
        let record = document.record()
        let stored = try StoredDocument(record.span.bytes, key: document.key.span.bytes, database: document.database)
        #expect(try stored.fields().isIdentical(to: document.fields))
        #expect(try stored.value(at: "a") == long)
        #expect(try stored.value(at: "b") == [long, 3])
        #expect(try stored.value(at: "m.b") == 1)
        #expect(try stored.value(at: "m.z.y")?.isIdentical(to: 2.5) == true)
        #expect(try stored.value(at: "m.z.x") == nil)
        #expect(try stored.value(at: "z") == true)
    }

    @Test func manyFieldsAreFoundByName() throws {
        let names = (0..<3_000).map { Text("f\($0)") }
        let document = StoredSample(
            fields: Fields(names.enumerated().map { Field($0.element, .integer(Int64($0.offset))) })!)
        let record = document.record()
        let stored = try StoredDocument(record.span.bytes, key: document.key.span.bytes, database: document.database)
        for (index, name) in names.enumerated() {
            #expect(try stored.value(at: FieldPath(name: name)) == .integer(Int64(index)))
        }
        for missing: Text in ["", "f", "f3000", "g", "\u{10FFFF}"] {
            #expect(try stored.value(at: FieldPath(name: missing)) == nil)
        }
    }

    @Test func emptyDocumentsComeBack() throws {
        let document = StoredSample(fields: [:])
        let record = document.record()
        let stored = try StoredDocument(record.span.bytes, key: document.key.span.bytes, database: document.database)
        #expect(try stored.fields().isEmpty)
        #expect(try stored.value(at: "a.b") == nil)
    }

    /// I-3: paths lead through maps only, and a name with a dot is one name.
    @Test func pathsLeadThroughMapsOnly() throws {
        let document = StoredSample(fields: ["a": [["b": 1]], "a.b": 2, "m": ["b": 3], "n": nil, "v": .vector([1])])
        let record = document.record()
        let stored = try StoredDocument(record.span.bytes, key: document.key.span.bytes, database: document.database)
        #expect(try stored.value(at: "a.b") == nil)
        #expect(try stored.value(at: FieldPath(name: "a.b")) == 2)
        #expect(try stored.value(at: "m.b") == 3)
        #expect(try stored.value(at: "m.b.c") == nil)
        #expect(try stored.value(at: "n") == .null)
        #expect(try stored.value(at: "n.x") == nil)
        #expect(try stored.value(at: "v.value") == nil)
    }

    /// A reference into the storing database is stored without the database's name, so it refers to the database that
    /// reads it.
    @Test func localReferencesAreReadInTheReadersDatabase() throws {
        let (home, other) = (DatabaseID(project: "hearth"), DatabaseID(project: "moved"))
        let path = ResourcePath(segments: ["c", "d"])
        let far = Value.reference(Reference(database: DatabaseID(project: "far", database: "x"), path: path))
        let document = StoredSample(
            fields: ["far": far, "near": .reference(Reference(database: home, path: path))], database: home)
        let record = document.record()
        let stored = try StoredDocument(record.span.bytes, key: document.key.span.bytes, database: other)
        #expect(try stored.value(at: "far") == far)
        #expect(try stored.value(at: "near") == .reference(Reference(database: other, path: path)))
    }
}
