// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Hand-picked values that comparisons often get wrong.
package enum HardCases {
    /// Groups in strictly ascending order (V-2 and on); the values of one group are equal.
    package static let ascendingGroups: [[Value]] =
        [[.null], [.boolean(false)], [.boolean(true)]] + numbers + timestamps + strings.map { [.string($0)] }
        + bytes + references + geoPoints + arrays + vectors + maps

    /// V-9, V-10: NaN first, then by value, with integers and doubles mixed and exact beyond 2^53.
    package static let numbers: [[Value]] = [
        [.double(.nan), .double(-.nan), .double(.signalingNaN)],
        [.double(-.infinity)], [.double(-.greatestFiniteMagnitude)], [.double(-0x1.0000000000001p63)],
        [.integer(.min), .double(-0x1p63)], [.integer(.min + 1)], [.double(-0x1.fffffffffffffp62)],
        [.integer(-9_007_199_254_740_993)], [.integer(-9_007_199_254_740_992), .double(-0x1p53)],
        [.integer(-9_007_199_254_740_991), .double(-9_007_199_254_740_991)],
        [.integer(-2), .double(-2)], [.double(-1.5)], [.integer(-1), .double(-1)], [.double(-0.5)],
        [.double(-.leastNormalMagnitude)], [.double(-.leastNonzeroMagnitude)],
        [.integer(0), .double(0), .double(-0.0)],
        [.double(.leastNonzeroMagnitude)], [.double(.leastNormalMagnitude)], [.double(0.1)], [.double(0.5)],
        [.integer(1), .double(1)], [.double(1.0.nextUp)], [.double(1.5)], [.integer(2), .double(2)],
        [.integer(9_007_199_254_740_991), .double(9_007_199_254_740_991)],
        [.integer(9_007_199_254_740_992), .double(0x1p53)], [.integer(9_007_199_254_740_993)],
        [.integer(9_007_199_254_740_994), .double(9_007_199_254_740_994)],
        [.double(0x1.fffffffffffffp62)], [.integer(.max - 1)], [.integer(.max)], [.double(0x1p63)],
        [.double(1e300)], [.double(.greatestFiniteMagnitude)], [.double(.infinity)],
    ]

    static let timestamps: [[Value]] = [
        .minimum, Timestamp(microseconds: -1_000_001)!, Timestamp(microseconds: -1)!, Timestamp(microseconds: 0)!,
        Timestamp(microseconds: 1)!, Timestamp(seconds: 1_700_000_000, nanoseconds: 999_999_000)!, .maximum,
    ].map { [.timestamp($0)] }

    /// V-14, by UTF-8 bytes, not by UTF-16 units or canonical equivalence. NUL and U+0001 are ordinary characters.
    package static let strings: [Text] = [
        "", "\0", "\0\0", "\0\u{1}", "\u{1}", "\u{1}\0", "\u{1}\u{1}", "\u{2}", "A", "A\0", "A\0a",
        "A\u{1}", "AA", "B", "Sierpi\u{144}ski", "Z", "a", "a\0", "a\u{1}", "aa", "e", "e\u{301}", "e\u{301}b", "f",
        "\u{7F}", "\u{80}", "\u{E9}", "\u{E9}b", "\u{FF}", "\u{141}ukasiewicz", "\u{7FF}", "\u{800}",
        "\u{4F60}\u{597D}", "\u{4F60}\u{9865}", "\u{5CA9}\u{6FA4}", "\u{D7FF}", "\u{E000}", "\u{FE12}", "\u{FF30}",
        "\u{FFFD}", "\u{FFFF}", "\u{10000}", "\u{1F11F}", "\u{1F435}", "\u{1F600}", "\u{1F601}", "\u{10FFFF}",
    ]

    static let bytes: [[Value]] = [
        [], [0], [0, 0], [0, 1], [0, 0xFF], [1], [1, 0], [0x7F], [0x80], [0xFE, 0xFF], [0xFF], [0xFF, 0], [0xFF, 0xFF],
    ].map { [.bytes($0)] }

    /// V-16, V-23, V-24: project, database, then segments; numeric IDs first and by number; a prefix first.
    package static let references: [[Value]] =
        [
            ("a", "(default)", "c/a"), ("hearth", "(default)", "c/__id-9223372036854775808__"),
            ("hearth", "(default)", "c/__id-5__"), ("hearth", "(default)", "c/__id7__"),
            ("hearth", "(default)", "c/__id7__/d/x"), ("hearth", "(default)", "c/__id12__"),
            ("hearth", "(default)", "c/\0"),
            ("hearth", "(default)", "c/!"), ("hearth", "(default)", "c/__id"), ("hearth", "(default)", "c/a"),
            ("hearth", "(default)", "c/a/b/c"), ("hearth", "(default)", "c/a/b/c/d/e"), ("hearth", "(default)", "c/a!"),
            ("hearth", "(default)", "c/\u{FFFF}"), ("hearth", "(default)", "c/\u{1F600}"),
            ("hearth", "(default)", "c!/a"),
            ("hearth", "other", "a/a"), ("hearth2", "(default)", "a/a"),
        ].map { [.reference(reference($0.0, $0.1, $0.2))] }

    static let geoPoints: [[Value]] = [
        [(-90.0, -180.0)], [(-90, 180)], [(-0.5, 0)], [(0, -1)], [(0, 0), (-0.0, 0), (0, -0.0)], [(0, 1)],
        [(0.5, -180)],
        [(90, 180)],
    ].map { group in group.map { .geoPoint(GeoPoint(latitude: $0.0, longitude: $0.1)!) } }

    /// V-18: by elements, across types, then the shorter first.
    static let arrays: [[Value]] = [
        [[]], [[nil]], [[nil, nil]], [[nil, false]], [[false]], [[.double(.nan)]], [[1], [1.0]], [[1, nil]], [[1, 1]],
        [[1, 2]], [[1, 2, 3], [1.0, 2, 3.0]], [[1, 2, 3, 1]], [[2]], [[""]], [["", ""]], [["\0"]], [["a"]],
        [["a", "b"]],
        [["ab"]], [[.bytes([])]], [[[:]]], [[["a": []]]], [[["a": [1]]]],
    ]

    /// V-20: by dimension, then by elements.
    static let vectors: [[Value]] = [
        [.vector([.nan])], [.vector([-.infinity])], [.vector([-1])], [.vector([0]), .vector([-0.0])],
        [.vector([100])], [.vector([0, 0])], [.vector([0, 1])], [.vector([1, -1])], [.vector([0, 0, 0])],
    ]

    /// V-19: first keys, then first values, then second keys …; includes the documentation's examples.
    static let maps: [[Value]] = [
        [[:]], [["\0": 1]], [["a": nil]], [["a": 1], ["a": 1.0]], [["a": 1, "b": 0]], [["a": 2]],
        [["a": "aaa", "b": "baz"]], [["a": "foo", "b": "bar"]], [["a": "foo", "b": "bar", "c": "qux"]],
        [["a": "foo", "b": "baz"]], [["a": []]], [["a": [1]]], [["a": [:]]], [["a": ["b": 1]]], [["a\0": 0]],
        [["aa": 0]],
        [["b": 0]], [["b": "aaa", "c": "baz"]], [["c": "aaa"]], [["\u{FFFF}": 0]], [["\u{1F600}": 0]],
    ]

    static func reference(_ project: Text, _ database: Text, _ path: String) -> Reference {
        Reference(
            database: DatabaseID(project: project, database: database),
            path: ResourcePath(segments: path.split(separator: "/").map { Text(String($0)) }))
    }
}
