// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// V-16, V-23, V-24: names in key bytes.
@Suite struct KeyNameOrderTests {
    /// V-24, in ascending order: numeric IDs as numbers, then the others by UTF-8 bytes.
    static let ids: [Text] = [
        "__id-9223372036854775808__", "__id-5__", "__id-1__", "__id0__", "__id7__", "__id12__",
        "__id9223372036854775807__", "\0", "\0\0", "\u{1}", "\u{1}\0", "\u{2}", "!", "0", "A", "_", "__", "__id",
        "__id+7__",
        "__id-0__", "__id-__", "__id007__", "__id9223372036854775808__", "__idx__", "__id__", "a", "a\0", "a!", "aa",
        "e\u{301}",
        "é", "\u{FFFF}", "😀",
    ]

    @Test func idsAscend() {
        for (left, one) in Self.ids.enumerated() {
            for (right, other) in Self.ids.enumerated() where one != "__id__" && other != "__id__" {
                let expected = (left - right).signum()
                #expect(ResourcePath.compareSegments(one, other).signum() == expected, "\(one) \(other)")
                #expect(compareBytes(segment(one), segment(other)).signum() == expected, "\(one) \(other)")
                #expect(compareBytes(segment(one, true), segment(other, true)).signum() == -expected, "\(one) \(other)")
            }
        }
    }

    /// V-24: numeric IDs, and IDs that only look numeric.
    @Test func numericIDsAreWrittenAsNumbersAre() {
        let numbers = Self.ids.map { ResourcePath.numericID($0) }
        #expect(numbers.prefix(7) == [.min, -5, -1, 0, 7, 12, .max])
        #expect(numbers.dropFirst(7).allSatisfy { $0 == nil })
    }

    /// An ID with a combining character once had the same key bytes as the numeric ID without it, so two documents were
    /// one.
    @Test(
        arguments: [
            "__id\u{301}7__", "__id7\u{301}__", "__id7_\u{301}_", "__id7__\u{301}", "_\u{301}_id7__", "__id-\u{301}7__",
            "__id\u{200D}7__",
        ] as [Text])
    func numericIDsAreBytes(_ id: Text) {
        #expect(ResourcePath.numericID(id) == nil)
        #expect(segment(id) != segment("__id7__") && segment(id) != segment("__id-7__"))
    }

    /// V-23: collection and document IDs alternate, a prefix sorts first. Compared with an independent order.
    @Test func pathsCompareAsBytesDo() throws {
        let nearMiss = NearMiss()
        try check(
            count: Rounds.of(400),
            generate: { random in
                (0..<6).flatMap { _ -> [ResourcePath] in
                    let path = nearMiss.values.reference(&random).path
                    return [path, nearMiss.path(path, &random), path.appending(nearMiss.values.collectionID(&random))]
                } + [.root]
            },
            shrink: Shrinker.array
        ) { batch in
            let keys = batch.map { (ascending: path($0), descending: path($0, true)) }
            for (one, left) in batch.enumerated() {
                for (other, right) in batch.enumerated() {
                    let expected = NaiveOrder.compare(left, right).signum()
                    let orders = [
                        ResourcePath.compare(left, right), compareBytes(keys[one].ascending, keys[other].ascending),
                        compareBytes(keys[other].descending, keys[one].descending),
                    ]
                    if orders.contains(where: { $0.signum() != expected }) {
                        return "\(left) and \(right): \(orders), not \(expected)"
                    }
                    let isPrefixOfBytes = keys[other].ascending.starts(with: keys[one].ascending)
                    if isPrefixOfBytes != (expected == 0) { return "\(left) and \(right): a prefix" }
                    if left.isPrefix(of: right) != right.segments.starts(with: left.segments) { return "isPrefix" }
                }
            }
            return nil
        }
    }

    /// A path sorts before its extensions, which are contiguous and precede its next sibling.
    @Test func prefixesComeFirst() {
        let ascending: [DocumentPath] = [
            "c/a", "c/a/b/\0", "c/a/b/c", "c/a/b/c/d/e", "c/a/b!/c", "c/a\0", "c/a\0/b/c", "c/a!", "c!/a", "c!/a/b/c",
        ]
        for (left, right) in zip(ascending, ascending.dropFirst()) {
            #expect(left < right)
            #expect(compareBytes(path(left.resource), path(right.resource)) < 0, "\(left) \(right)")
        }
    }

    /// An ID has the same bytes alone and in a path, so keys can be split and joined at segments.
    @Test func pathsAreTheirSegmentsAndAnEnd() {
        for id in Self.ids {
            #expect(path(ResourcePath(segments: ["c", id])) == segment("c") + segment(id) + [0])
        }
    }

    private func segment(_ id: Text, _ descending: Bool = false) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(segment: id, descending: descending)
        return encoder.bytes
    }

    private func path(_ path: ResourcePath, _ descending: Bool = false) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(path: path, descending: descending)
        return encoder.bytes
    }
}
