// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// D-30 to D-32: sizes by Firestore's formulas, with the documentation's worked examples.
@Suite struct SizeTests {
    private let task: DocumentPath = "users/jeff/tasks/my_task_id"

    @Test func documentedExamples() {
        #expect(DocumentSize.size(of: task.resource) == 44)
        #expect(DocumentSize.size(of: ["type": "Personal"] as Fields) == 14)
        #expect(DocumentSize.size(of: ["done": false] as Fields) == 6)
        #expect(DocumentSize.size(of: ["priority": 1] as Fields) == 17)
        #expect(DocumentSize.size(of: ["description": "Learn Cloud Firestore"] as Fields) == 34)
        let fields: Fields = [
            "type": "Personal", "done": false, "priority": 1, "description": "Learn Cloud Firestore",
        ]
        #expect(DocumentSize.size(of: fields) == 71)
        #expect(DocumentSize.size(of: task, fields) == 147)
        // D-33's parent name, `users/jeff`.
        #expect(DocumentSize.size(of: ResourcePath(segments: ["users", "jeff"])) == 27)
    }

    /// D-30: a numeric ID counts 8 bytes, whatever its length; text counts its bytes plus one.
    @Test(
        arguments: [
            ("c/a", 20), ("c/é", 21), ("c/😀", 23), ("c/__id7__", 26), ("c/__id-9223372036854775808__", 26),
            ("c/__id7__/d/e", 30),
        ] as [(DocumentPath, Int)])
    func names(_ path: DocumentPath, _ size: Int) {
        #expect(DocumentSize.size(of: path.resource) == size)
    }

    /// D-31.
    static let sizes: [(Value, Int)] = [
        (nil, 1), (true, 1), (false, 1), (5, 8), (.integer(.min), 8), (5.5, 8), (.double(.nan), 8),
        (.timestamp(.maximum), 8), ("", 1), ("abc", 4), ("é", 3), ("😀", 5), (.bytes([]), 0),
        (.bytes([1, 2, 3]), 3),
        (.geoPoint(GeoPoint(latitude: 1, longitude: 2)!), 16), ([], 0), ([1, "ab", nil], 12), ([:], 32),
        (["a": 1, "bc": "d"], 47), (["a": ["b": [true, 2]]], 77),
        (.vector([1, 2, 3]), 24),
        (
            .reference(
                Reference(database: DatabaseID(project: "any"), path: ResourcePath(segments: ["users", "jeff"]))), 27
        ),
    ]

    @Test(arguments: sizes)
    func values(_ value: Value, _ size: Int) {
        #expect(DocumentSize.size(of: value) == size)
    }

    /// D-32: 32 bytes in addition to the name and the fields.
    @Test func emptyDocument() {
        #expect(DocumentSize.size(of: "c/a", [:]) == 20 + 32)
    }
}
