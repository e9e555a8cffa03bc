// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct WritingTests {
    private let sample: Sample
    private let document: DocumentReference

    init() throws {
        sample = try Sample()
        document = sample.database.document("users/frank")
    }

    private func stored() throws -> NSDictionary? { try document.sync.getDocument().data().map { $0 as NSDictionary } }

    @Test func setReplaces() throws {
        try document.sync.setData(["a": 1, "b": ["c": 2]])
        try document.sync.setData(["b": ["d": 3]])
        #expect(try stored() == ["b": ["d": 3]])
    }

    /// W-8: leaves are merged; an empty map and an array are leaves.
    @Test func mergeWritesLeaves() throws {
        try document.sync.setData(["a": 1, "m": ["x": 1, "y": ["z": 1]], "l": [1, 2]])
        try document.sync.setData(["m": ["y": ["w": 2]], "l": [3], "e": [String: Any]()], merge: true)
        #expect(try stored() == ["a": 1, "m": ["x": 1, "y": ["z": 1, "w": 2]], "l": [3], "e": [String: Any]()])
        try document.sync.setData(["m": [String: Any](), "a": FieldValue.delete()], merge: true)
        #expect(try stored() == ["m": [String: Any](), "l": [3], "e": [String: Any]()])
        try document.sync.setData(["n": ["p": FieldValue.delete(), "q": 1]], merge: true)
        #expect(try stored()?["n"] as? NSDictionary == ["q": 1])
    }

    /// W-8, W-14: only the fields of the mask are written, and a transform starts from the stored value.
    @Test func mergeFieldsSelect() throws {
        try document.sync.setData(["a": 1, "m": ["x": 1, "y": 1], "n": 5])
        try document.sync.setData(
            ["a": 2, "m": ["x": 2], "n": FieldValue.increment(1), "ignored": 1],
            mergeFields: ["m", FieldPath(["n"])])
        #expect(try stored() == ["a": 1, "m": ["x": 2], "n": 6])
        #expect(
            text(.invalidArgument) { try document.sync.setData(["a": 1], mergeFields: ["b.c"]) }
                == "Field 'b.c' is specified in your field mask but missing from your input data.")
        #expect(
            text(.invalidArgument) { try document.sync.setData(["a": 1], mergeFields: [7]) }
                == "All elements in mergeFields: must be NSStrings or FIRFieldPaths.")
    }

    /// W-9: the documentation's example of nested fields.
    @Test func updateChangesFields() throws {
        try document.sync.setData([
            "name": "Frank", "favorites": ["food": "Pizza", "color": "Blue", "subject": "recess"], "age": 12,
        ])
        try document.sync.updateData(["age": 13, "favorites.color": "Red"])
        #expect(
            try stored() == [
                "name": "Frank", "favorites": ["food": "Pizza", "color": "Red", "subject": "recess"], "age": 13,
            ])
        try document.sync.updateData(["favorites": ["food": "Ice Cream"], "age": FieldValue.delete()])
        #expect(try stored() == ["name": "Frank", "favorites": ["food": "Ice Cream"]])
        try document.sync.updateData([FieldPath(["a.b", "c"]): 1, "name": FieldValue.delete()])
        #expect(try stored() == ["favorites": ["food": "Ice Cream"], "a.b": ["c": 1]])
    }

    @Test func updateErrors() throws {
        #expect(
            text(.notFound) { try document.sync.updateData(["a": 1]) }
                == "No document to update: projects/hearth/databases/(default)/documents/users/frank")
        #expect(try !document.sync.getDocument().exists)
        try document.sync.setData(["a": 1])
        func refusal(_ data: [AnyHashable: Any]) -> String? {
            text(.invalidArgument) { try document.sync.updateData(data) }
        }
        #expect(
            refusal(["a": ["b": FieldValue.delete()]])
                == "FieldValue.delete() can only appear at the top level of your update data (found in field a.b)")
        #expect(refusal([7: 1]) == "Dictionary keys in updateData: must be NSStrings or FIRFieldPaths.")
        #expect(refusal(["a[0]": 1]) == "Invalid field path (a[0]). Paths must not contain '~', '*', '/', '[', or ']'")
        #expect(
            refusal(["a..b": 1])
                == "Invalid field path (a..b). Paths must not be empty, begin with '.', end with '.', or contain '..'")
        #expect(
            refusal(["a.__b__": 1])
                == "Invalid data. Document fields cannot begin and end with \"__\" (found in field a.__b__)")
        #expect(refusal([FieldPath([]): 1]) == "Invalid field path. Provided names must not be empty.")
        #expect(
            refusal([FieldPath(["a", ""]): 1]) == "Invalid field name at index 1. Field names must not be empty.")
        #expect(try stored() == ["a": 1])
    }

    /// W-17 to W-21.
    @Test func sentinels() throws {
        try document.sync.setData(["n": 10, "d": 1.5, "l": [1, 2, 2], "t": 0, "max": 5, "min": 5, "text": "x"])
        let before = Timestamp().dateValue()
        try document.sync.updateData([
            "n": FieldValue.increment(5), "d": FieldValue.increment(0.5), "l": FieldValue.arrayUnion([2.0, 3]),
            "t": FieldValue.serverTimestamp(), "max": FieldValue.maximum(7), "min": FieldValue.minimum(2.5),
            "text": FieldValue.increment(Int64(1)), "new.deep": FieldValue.serverTimestamp(),
        ])
        let snapshot = try document.sync.getDocument()
        let time = try #require(snapshot["t"] as? Timestamp)
        #expect(snapshot["n"] as? Int == 15 && snapshot["d"] as? Double == 2 && snapshot["text"] as? Int == 1)
        #expect(snapshot["l"] as? [Int] == [1, 2, 2, 3])
        #expect(snapshot["max"] as? Int == 7 && snapshot["min"] as? Double == 2.5)
        #expect(time.nanoseconds % 1_000_000 == 0 && snapshot["new.deep"] as? Timestamp == time)
        // Whole milliseconds, so the time may be up to one millisecond earlier.
        #expect((before.addingTimeInterval(-0.001)...Date()).contains(time.dateValue()))
        try document.sync.updateData(["l": FieldValue.arrayRemove([2])])
        #expect(try document.sync.getDocument()["l"] as? [Int] == [1, 3])
    }

    @Test func deletingIsRepeatable() throws {
        try document.sync.setData(["a": 1])
        try document.collection("c").document("d").sync.setData(["b": 1])
        try document.sync.delete()
        try document.sync.delete()
        #expect(try !document.sync.getDocument().exists)
        #expect(try document.sync.getDocument().data() == nil)
        #expect(try document.collection("c").document("d").sync.getDocument().exists)
    }

    @Test func timesOfSnapshots() throws {
        try document.sync.setData(["a": 1])
        let first = try document.sync.getDocument()
        try document.sync.setData(["a": 2])
        let second = try document.sync.getDocument()
        #expect(first.createTime == second.createTime)
        #expect(try #require(first.updateTime) < #require(second.updateTime))
        #expect(first != second && !first.metadata.hasPendingWrites && !first.metadata.isFromCache)
    }
}
