// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// How a store has keys of any length, though LMDB's have at most 511 bytes.
///
/// A key of fewer than ``prefixLength`` bytes is an LMDB key as it is. The first ``prefixLength`` bytes of a longer one, its *prefix*,
/// are an LMDB key whose value is either one *suffix* with its value (stored inline), or the ID of an *overflow chain*:
/// the suffixes are then ordinary keys of the overflow store, after the chain's ID, and so on. Keys keep their order,
/// and a million keys with one beginning are a million ordinary keys.
///
/// The keys of a store must not be prefixes of one another, or a key of exactly ``prefixLength`` bytes would be mistaken for a prefix.
enum LongKey {
    static let prefixLength = 490
}

/// The entry under the prefix of long keys.
enum PrefixEntry {
    /// One long key: where its suffix is in this value; the key's own value follows.
    case inline(suffix: Range<Int>)
    case chain(UInt64)

    private static let inlineTag: UInt8 = 0
    private static let chainTag: UInt8 = 1

    init(_ value: RawSpan) throws(EngineError) {
        guard value.byteCount > 1 else { throw .damaged("the entry under the prefix of long keys is empty") }
        var offset = 1
        let number = try OrderedInteger.read(value, &offset)
        if value.byte(at: 0) == PrefixEntry.chainTag {
            self = .chain(number)
        } else {
            guard number <= UInt64(value.byteCount - offset) else { throw .damaged("a long key ends too early") }
            self = .inline(suffix: offset..<offset + Int(number))
        }
    }

    static func inlineValue(suffix: ArraySlice<UInt8>, value: [UInt8]) -> [UInt8] {
        var bytes = [inlineTag]
        OrderedInteger.append(UInt64(suffix.count), to: &bytes)
        return bytes + suffix + value
    }

    static func chainValue(_ chainID: UInt64) -> [UInt8] {
        [chainTag] + OrderedInteger.bytes(chainID)
    }
}
