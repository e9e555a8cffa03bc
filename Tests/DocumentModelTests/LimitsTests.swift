// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// D-2 to D-16, V-21: refusals at the limit and one beyond, with production's text (D-28).
@Suite struct LimitsTests {
    private static let database = DatabaseID(project: "p")
    private static let root = "projects/p/databases/(default)/documents"

    // MARK: - Names

    /// D-2, D-3.
    @Test(arguments: [
        "c/d", "c/_", "c/__", "c/___", "c/_a__", "c/__a_", "c/...", "c/.a", "c/ ", "c/\0", "c/é😀", "c/*", "c/__id7__",
        "c/__id-7__", "c/__id9223372036854775807__", "__/d", "c/d/__a/e", "projects/p", "c/\u{1}",
    ])
    func acceptsNames(_ path: DocumentPath) throws {
        try DocumentLimits.validate(path, database: Self.database)
        try DocumentLimits.validate(path, [:], database: Self.database)
    }

    static let refusedNames: [(String, String)] = [
        ("__x__/d", "Collection id \"__x__\" is invalid because it is reserved."),
        ("c/__x__", "Resource id \"__x__\" is invalid because it is reserved."),
        ("c/____", "Resource id \"____\" is invalid because it is reserved."),
        ("c/d/__x__/e", "Collection id \"__x__\" is invalid because it is reserved."),
        ("c/d/e/__x__", "Resource id \"__x__\" is invalid because it is reserved."),
        ("c/__id__", "Resource id \"__id__\" is invalid because it is reserved."),
        ("c/__id9223372036854775808__", "Resource id \"__id9223372036854775808__\" is invalid because it is reserved."),
        ("__id7__/d", "Collection id \"__id7__\" is invalid because it is reserved."),
        ("err/..", "Document name \"\(root)/err/..\" contains a resource id \"..\" at index \(root.count + 5)."),
        ("err/.", "Document name \"\(root)/err/.\" contains a resource id \".\" at index \(root.count + 5)."),
        ("../d", "Document name \"\(root)/../d\" contains a resource id \"..\" at index \(root.count + 1)."),
        ("é/d/./f", "Document name \"\(root)/é/d/./f\" contains a resource id \".\" at index \(root.count + 6)."),
    ]

    @Test(arguments: refusedNames)
    func refusesNames(_ path: String, _ message: String) throws {
        let path = try DocumentPath(parsing: path)
        #expect(throws: DocumentFormError(message)) { try DocumentLimits.validate(path, database: Self.database) }
        #expect(throws: DocumentFormError(message)) { try DocumentLimits.validate(path, [:], database: Self.database) }
    }

    /// D-2, D-3: 1,500 bytes, not characters.
    @Test func idsHave1500Bytes() throws {
        let error = DocumentFormError("The key path element name is longer than 1500 bytes.")
        for id in [String(repeating: "i", count: 1_500), String(repeating: "é", count: 750)] {
            try validate(ResourcePath(segments: ["c", Text(id)]))
            try validate(ResourcePath(segments: [Text(id), "d"]))
            #expect(throws: error) { try validate(ResourcePath(segments: ["c", Text(id + "i")])) }
            #expect(throws: error) { try validate(ResourcePath(segments: [Text(id + "i"), "d"])) }
        }
    }

    /// D-5: 6 KiB for the full name.
    @Test func fullNamesHave6KiB() throws {
        let rest = 6 * 1_024 - Self.root.utf8.count
        // Four IDs of 1,499 bytes and their slashes, and an ID that fills the rest of the name.
        let long = [Text](repeating: Text(String(repeating: "i", count: 1_400)), count: 4)
        let last = String(repeating: "l", count: rest - 4 * 1_401 - 2 - 1)
        let path = ResourcePath(segments: long + ["c", Text(last)])
        #expect(Reference(database: Self.database, path: path).resourceName.utf8.count == 6_144)
        try validate(path)
        #expect(throws: DocumentFormError("A document name has at most 6,144 bytes, not 6,145.")) {
            try validate(ResourcePath(segments: long + ["c", Text(last + "l")]))
        }
    }

    /// D-5: subcollections nest to depth 100.
    @Test func collectionsNestTo100() throws {
        let deep = ResourcePath(segments: (0..<200).map { _ in "a" })
        try validate(deep)
        #expect(throws: DocumentFormError("Subcollections nest to a depth of 100, not 101.")) {
            try validate(ResourcePath(segments: deep.segments + ["c", "d"]))
        }
    }

    private func validate(_ path: ResourcePath) throws(DocumentFormError) {
        try DocumentLimits.validate(DocumentPath(path), database: Self.database)
    }

    // MARK: - Fields

    /// D-8, at any depth.
    @Test(arguments: [
        ("", "The property.name is the empty string."), ("__id__", "field name __id__ is reserved"),
        ("__name__", "field name __name__ is reserved"), ("____", "field name ____ is reserved"),
        ("__type__", "field name __type__ is reserved"),
    ])
    func refusesFieldNames(_ name: Text, _ message: String) {
        refused(Fields([Field(name, 1)])!, message)
        refused(["m": .map(Fields([Field(name, 1)])!)], message)
        refused(["a": [1, .map(Fields([Field(name, 1)])!)]], message)
        #expect(throws: DocumentFormError(message)) { try DocumentLimits.validateName(name) }
    }

    @Test(arguments: ["_", "__", "___", "__a", "a__", "a.b", "`", " ", "\0", "é", "*"] as [Text])
    func acceptsFieldNames(_ name: Text) throws {
        try accepted(Fields([Field(name, .map(Fields([Field(name, 1)])!))])!)
    }

    @Test func fieldNamesHave1500Bytes() throws {
        for name in [String(repeating: "f", count: 1_500), String(repeating: "é", count: 750)] {
            try accepted(Fields([Field(Text(name), 1)])!)
            refused(Fields([Field(Text(name + "f"), 1)])!, "The property.name is longer than 1500 bytes.")
        }
    }

    /// D-15: the size of a string or of bytes.
    @Test func valuesHave1MiBLess89() throws {
        let message = "The value of property \"blob\" is longer than 1048487 bytes."
        for value in [
            Value.string(Text(String(repeating: "x", count: 1_048_488))),
            .bytes([UInt8](repeating: 0, count: 1_048_488)),
        ] {
            refused(["blob": value], message)
            refused(["m": ["blob": value]], message)
            refused(["blob": [value]], message)
        }
        try accepted(["b": .bytes([UInt8](repeating: 0, count: 1_048_487))])
        try accepted(["b": .string(Text(String(repeating: "x", count: 1_048_487)))])
        refused(["blob": .string(Text(String(repeating: "é", count: 524_244)))], message)
    }

    /// D-14, D-28.
    @Test func documentsHave1MiB() throws {
        // 16 + 2 + 2 for the name `c/d`, 32 for the document, 2 for the field's name.
        let bytes = DocumentLimits.maximumDocumentSize - 16 - 2 - 2 - 32 - 2 - 2
        let halves = { (extra: Int) -> Fields in
            [
                "a": .bytes([UInt8](repeating: 0, count: 500_000)),
                "b": .bytes([UInt8](repeating: 0, count: bytes - 500_000 + extra)),
            ]
        }
        #expect(DocumentSize.size(of: "c/d", halves(0)) == 1_048_576)
        try accepted(halves(0))
        let name = "\(Self.root)/c/d"
        refused(
            halves(1),
            "Document '\(name)' cannot be written because its size (1,048,577 bytes) exceeds the maximum allowed size of 1,048,576 bytes."
        )
        refused(
            halves(29_400),
            "Document '\(name)' cannot be written because its size (1,077,976 bytes) exceeds the maximum allowed size of 1,048,576 bytes."
        )
    }

    /// D-16: twenty nested maps or arrays are allowed, twenty-one are not. The message names the top-level
    /// field.
    @Test func valuesNestTo20() throws {
        for count in [19, 20] {
            try accepted(["top": nested(maps: count)])
            try accepted(["top": alternating(count)])
        }
        let message = "Property top contains an invalid nested entity."
        for count in [21, 22, 200] {
            refused(["top": nested(maps: count)], message)
            refused(["top": alternating(count)], message)
        }
        try accepted(["top": nested(maps: 20), "other": alternating(20)])
    }

    /// What Datastore's own values hold is stored as well, and must be readable.
    @Test func legacyValuesHaveTheLimitsOfOthers() throws {
        func legacy(_ value: Value) -> Fields { ["top": ["__type__": "__legacy_x__", "__v__": value]] }
        try accepted(legacy(nested(maps: 19)))
        for count in [20, 70] {
            refused(legacy(nested(maps: count)), "Property top contains an invalid nested entity.")
        }
        refused(legacy([[1]]), "Nested arrays are not allowed")
        let key = Reference(database: Self.database, path: ResourcePath(segments: ["@ns", "kind", "__id1__"]))
        try accepted(["top": ["__type__": "__legacy_entity__", "__name__": .reference(key)]])
        let long = Text("__\(String(repeating: "n", count: 1_497))__")
        refused(
            ["top": .map(Fields([Field("__type__", "__legacy_x__"), Field(long, 1)])!)],
            "The property.name is longer than 1500 bytes.")
    }

    private func nested(maps count: Int) -> Value {
        (1..<count).reduce(["leaf": 1]) { inner, _ in ["m": inner] }
    }

    private func alternating(_ count: Int) -> Value {
        (1..<count).reduce([:]) { inner, place in place % 2 == 1 ? [inner] : ["m": inner] }
    }

    /// V-21.
    @Test func arraysHoldNoArrays() throws {
        refused(["a": [[]]], "Nested arrays are not allowed")
        refused(["m": ["a": [1, [2]]]], "Nested arrays are not allowed")
        try accepted(["a": [["m": [1]]]])
        try accepted(["a": [.vector([1])]])
    }

    /// V-20.
    @Test func vectorsHave1To2048Dimensions() throws {
        try accepted(["v": .vector([1])])
        try accepted(["v": .vector([Double](repeating: 1, count: 2_048))])
        refused(["v": .vector([])], "A vector has 1 to 2048 dimensions, not 0.")
        refused(["v": .vector([Double](repeating: 1, count: 2_049))], "A vector has 1 to 2048 dimensions, not 2049.")
    }

    /// As the emulator answers.
    @Test(
        arguments: [
            (Fields.empty, "Vector map is missing key 'value'."),
            (["value": "x"], "Vector Value type must be an array."),
            (["value": [.double(1), 1]], "Vector must only contain values of type 'double'"),
            (["value": [.double(1)], "x": 1], "Vector Value map has extraneous entries."),
        ] as [(Fields, String)])
    func mapsThatAreNoVectors(_ members: Fields, _ message: String) {
        var fields = members
        fields["__type__"] = "__vector__"
        refused(["v": .map(fields)], message)
        refused(["a": [.map(fields)]], message)
    }

    /// As recorded: a reference names a document of any project.
    @Test func referencesNameDocuments() throws {
        let far = DatabaseID(project: "far", database: "d")
        func value(_ segments: [Text]) -> Value {
            .reference(Reference(database: far, path: ResourcePath(segments: segments)))
        }
        try accepted(["r": value(["c", "d"])])
        try accepted(["r": value(["c", "__reserved__"])])
        let documents = "projects/far/databases/d/documents"
        refused(["r": value(["c"])], "Document name \"\(documents)/c\" lacks \"/\" at index \(documents.count + 2).")
        refused(["r": value([])], "Document name \"\(documents)/\" lacks \"/\" at index \(documents.count + 1).")
        refused(
            ["r": [value(["c", ".."])]],
            "Document name \"\(documents)/c/..\" contains a resource id \"..\" at index \(documents.count + 3).")
    }

    /// Firestore would accept the documents of the generator.
    @Test func generatedDocumentsAreAccepted() throws {
        let values = ValueGenerator()
        try check(count: Rounds.of(2_000), generate: { values.fields(&$0, depth: 4) }) {
            (fields: Fields) -> String? in
            do throws(DocumentFormError) { try accepted(fields) } catch { return error.description }
            return nil
        }
    }

    private func accepted(_ fields: Fields) throws(DocumentFormError) {
        try DocumentLimits.validate("c/d", fields, database: Self.database)
    }

    private func refused(_ fields: Fields, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: DocumentFormError(message), sourceLocation: sourceLocation) { try accepted(fields) }
    }
}
