// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// How a store has keys of any length, though LMDB's have at most 511 bytes.
///
/// A key of fewer than ``cut`` bytes is an LMDB key as it is. The first ``cut`` bytes of a longer one, its *head*, are an LMDB
/// key whose value is either one remaining part with its value (a lone rest), or the number of a *run*: the remaining parts are
/// then ordinary keys of the continuations store, after the run's number, and so on. Keys keep their order, and a million keys
/// with one beginning are a million ordinary keys.
///
/// The keys of a store must not be prefixes of one another, or a key of exactly ``cut`` bytes would be mistaken for a head.
enum LongKey {
    static let cut = 490
}

/// What stands under the head of long keys.
enum LongKeyHead {
    /// One long key: the place of its rest within the head's value; its value follows.
    case lone(rest: Range<Int>)
    case run(UInt64)

    private static let loneTag: UInt8 = 0
    private static let runTag: UInt8 = 1

    init(_ value: RawSpan) throws(EngineError) {
        guard value.byteCount > 1 else { throw .damaged("the head of a long key is empty") }
        var offset = 1
        let number = try OrderedInteger.read(value, &offset)
        if value.byte(at: 0) == LongKeyHead.runTag {
            self = .run(number)
        } else {
            guard number <= UInt64(value.byteCount - offset) else { throw .damaged("a long key ends too early") }
            self = .lone(rest: offset..<offset + Int(number))
        }
    }

    static func loneValue(rest: ArraySlice<UInt8>, value: [UInt8]) -> [UInt8] {
        var bytes = [loneTag]
        OrderedInteger.append(UInt64(rest.count), to: &bytes)
        return bytes + rest + value
    }

    static func runValue(_ number: UInt64) -> [UInt8] {
        [runTag] + OrderedInteger.bytes(number)
    }
}
