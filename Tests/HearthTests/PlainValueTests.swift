// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import DocumentModel
@testable import Hearth

/// What `data()` and `get` read from stored bytes is what the fields hold.
@Suite struct PlainValueTests {
    /// Random documents of all types. Each is described from its values and from what a program gets.
    @Test func storedBytesGiveTheValues() throws {
        let database = try Sample().database
        let identity = try database.identity()
        let values = ValueGenerator(database: identity)
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Rounds.of(2_000) {
            var fields = values.fields(&random, depth: 4)
            for name: Text in ["é", "e\u{301}", "m", "a name of more than fifteen bytes"] where random.chance(0.4) {
                fields[name] = values.value(&random, depth: 4)
            }
            let snapshot = snapshot(of: fields, in: database, identity)
            try #require(snapshot.data().map { text($0) } == text(.map(fields)), "\(fields)")
            for path in paths(of: .map(fields)) {
                let expected = fields[path].map { text($0) }
                try #require(snapshot.get(FieldPath(path)).map { text($0) } == expected, "\(path) of \(fields)")
                let dotted = path.segments.map(\.string).joined(separator: ".")
                let parsed = try? DocumentModel.FieldPath(dotted: dotted)
                #expect(DocumentModel.FieldPath.isValid(dotted: dotted) == (parsed != nil), "\(dotted)")
                let named = parsed.flatMap { fields[$0] }.map { text($0) }
                try #require(snapshot.get(dotted).map { text($0) } == named, "\(dotted) of \(fields)")
            }
        }
    }

    /// A dictionary is made from that of a map with the same names, in whatever order such maps come.
    @Test func mapsOfTheSameNames() throws {
        let database = try Sample().database
        let identity = try database.identity()
        let values = ValueGenerator(database: identity)
        var random = SeededGenerator.printingSeed()
        var shapes = (0..<12).map { _ in values.fields(&random, depth: 3).map(\.name) }
        shapes += [
            ["é", "e\u{301}", "m"], [Text(String(repeating: "n", count: 127)), ""], (0..<100).map { Text("f\($0)") },
        ]
        shapes += [[Text(String(repeating: "n", count: 128))], (0..<101).map { Text("f\($0)") }]
        for _ in 0..<Rounds.of(2_000) {
            var fields = Fields.empty
            let names = shapes[random.int(0..<shapes.count)]
            for name in names { fields[name] = values.value(&random, depth: names.count < 50 ? 2 : 0) }
            fields["inner"] = .map(fields)
            let snapshot = snapshot(of: fields, in: database, identity)
            try #require(snapshot.data().map { text($0) } == text(.map(fields)), "\(fields)")
        }
    }

    /// Another map's names may have the same hash.
    @Test func namesAreCompared() throws {
        let database = try Sample().database
        let identity = try database.identity()
        var known = items(of: ["a": 1, "b": 2], identity)
        var others = items(of: ["a": 1, "c": 2], identity)
        _ = (try known.next(), try others.next())
        let hash = try #require(others.namesHash)
        #expect(hash != known.namesHash)
        let names = try #require(known.names)
        let shape = try #require(MapShape(names, hash: hash))
        MapShapes.withOwn { $0.keep(shape) }
        for number in 1...4 {
            let snapshot = snapshot(of: ["a": 1, "c": .integer(Int64(number))], in: database, identity)
            #expect(snapshot.data() as? [String: Int] == ["a": 1, "c": number])
        }
    }

    /// Damaged bytes give no fields or other ones.
    @Test func damagedMaps() throws {
        let database = try Sample().database
        let identity = try database.identity()
        let fields: Fields = ["a": "text", "long name": ["b": 1, "c": [true, nil]], "z": 2.5]
        let content = StoredDocumentEncoder.content(of: fields, database: identity)
        var refused = 0
        for bit in 0..<8 * content.count {
            for _ in 0..<3 { _ = try stored(content, identity).plainFields(in: database) }
            var damaged = content
            damaged[bit / 8] ^= 1 << (bit % 8)
            do { _ = try stored(damaged, identity).plainFields(in: database) } catch { refused += 1 }
        }
        #expect(refused > content.count)
    }

    /// A directory that has a gap between two fields, or has them share bytes.
    @Test func fieldsFollowEachOther() throws {
        let database = try Sample().database
        let identity = try database.identity()
        var content = StoredDocumentEncoder.content(of: ["a": 1, "b": 2], database: identity)
        for _ in 0..<3 { _ = try stored(content, identity).plainFields(in: database) }
        // The number of fields, then where they begin, in two bytes each, then the fields.
        #expect(content[0] == 4 && content[3] == 4)
        content[3] += 1
        content.insert(0, at: 9)
        #expect(throws: StoredFormatError.self) { try stored(content, identity).plainFields(in: database) }
    }

    private func stored(_ content: [UInt8], _ identity: DatabaseID) -> StoredValue {
        let bytes = StoredBytes(count: content.count, in: .root, of: identity)
        bytes.fill(from: 0, with: content.span.bytes)
        return StoredValue(fieldsOf: bytes, at: 0, end: content.count)
    }

    private func items(of fields: Fields, _ identity: DatabaseID) -> StoredItems {
        stored(StoredDocumentEncoder.content(of: fields, database: identity), identity).items
    }

    /// D-11: a text that is no path names nothing, and a typed read says so.
    @Test func dottedNames() throws {
        let database = try Sample().database
        let fields: Fields = ["m": ["n": ["i": 1, "s": "text", "b": true, "d": 2.5]], "m.n": 3, "x": nil]
        let snapshot = snapshot(of: fields, in: database, try database.identity())
        #expect(try snapshot.get("m.n.i", as: Int.self) == 1)
        #expect(try snapshot.get("m.n.i", as: Double.self) == 1)
        #expect(try snapshot.get("m.n.s", as: String.self) == "text")
        #expect(try snapshot.get("m.n.b", as: Bool.self) == true)
        #expect(try snapshot.get("m.n.d", as: Double.self) == 2.5)
        #expect(try snapshot.get("m.n", as: Inner.self)?.i == 1)
        #expect(try snapshot.get(FieldPath(["m.n"]), as: Int.self) == 3)
        #expect(try snapshot.get("m.n.i.j", as: Int.self) == nil)
        #expect(try snapshot.get("x", as: Int.self) == nil)
        for path in ["", ".", "m.", ".m", "m..n", "m*", "m~n", "m/n", "m[0]", "m.n.]"] {
            #expect(snapshot.get(path) == nil)
            #expect(throws: FirestoreError.self) { try snapshot.get(path, as: Int.self) }
            #expect(throws: FirestoreError.self) { try snapshot.get(path, as: Inner.self) }
        }
    }

    private struct Inner: Codable { var i: Int }

    private func snapshot(of fields: Fields, in database: Database, _ identity: DatabaseID) -> DocumentSnapshot {
        let path = DocumentPath(ResourcePath(segments: ["c", "d"]))
        let document = Document(path: path, fields: fields, createTime: .minimum, updateTime: .maximum)
        return DocumentSnapshot(
            DocumentReference(database, path), DocumentRecord(document, database: identity))
    }

    /// Of all values in maps, and some of nothing.
    private func paths(of value: Value, under names: [Text] = []) -> [DocumentModel.FieldPath] {
        guard case .map(let fields) = value else { return [DocumentModel.FieldPath(names + ["absent"])] }
        return fields.flatMap { field in
            [DocumentModel.FieldPath(names + [field.name])] + paths(of: field.value, under: names + [field.name])
        }
    }
}

/// A value with its type, from the stored form.
private func text(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .boolean(let flag): "boolean \(flag)"
    case .integer(let number): "integer \(number)"
    case .double(let number): number.isNaN ? "double NaN" : "double \(number.bitPattern)"
    case .timestamp(let time): "time \(time.microseconds)"
    case .string(let text): "string \(Array(text.string.utf8))"
    case .bytes(let bytes): "bytes \(bytes)"
    case .reference(let reference):
        "reference \(reference.database.project) \(reference.database.database) \(reference.path.segments)"
    case .geoPoint(let point): "point \(point.latitude.bitPattern) \(point.longitude.bitPattern)"
    case .array(let elements): "array \(elements.map { text($0) })"
    case .vector(let elements): "vector \(elements.map(\.bitPattern))"
    case .map(let fields):
        "map \(keyed(fields.map { ($0.name.string, text($0.value)) }))"
    }
}

/// The same, from what a program gets.
private func text(_ plain: Any) -> String {
    switch plain {
    case is NSNull: return "null"
    case let number as NSNumber where type(of: plain) != Bool.self:
        guard String(cString: number.objCType) == "d" else { return "integer \(number.int64Value)" }
        let double = number.doubleValue
        return double.isNaN ? "double NaN" : "double \(double.bitPattern)"
    case let flag as Bool: return "boolean \(flag)"
    case let time as Hearth.Timestamp: return "time \(time.seconds * 1_000_000 + Int64(time.nanoseconds / 1_000))"
    case let string as String: return "string \(Array(string.utf8))"
    case let bytes as Data: return "bytes \(Array(bytes))"
    case let reference as DocumentReference:
        guard let stored = try? reference.stored() else { return "no reference" }
        return "reference \(stored.database.project) \(stored.database.database) \(stored.path.segments)"
    case let point as Hearth.GeoPoint: return "point \(point.latitude.bitPattern) \(point.longitude.bitPattern)"
    case let elements as [Any]: return "array \(elements.map { text($0) })"
    case let vector as VectorValue: return "vector \(vector.array.map(\.bitPattern))"
    case let fields as [String: Any]: return "map \(keyed(fields.map { ($0.key, text($0.value)) }))"
    default: return "\(type(of: plain))"
    }
}

/// Names that Swift finds equal are one key, whose value is the last one.
private func keyed(_ fields: [(String, String)]) -> [String] {
    var texts: [String: String] = [:]
    for (name, value) in fields { texts[name] = value }
    return texts.map { "\(Array($0.key.utf8)): \($0.value)" }.sorted()
}
