// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// How a store keeps keys of any length, although LMDB allows at most 511 bytes.
///
/// A key of fewer than ``prefixLength`` bytes is an LMDB key. A longer key is split: its first ``prefixLength`` bytes,
/// the *prefix*, are an LMDB key, and the rest is its *suffix*. If only one key has the prefix, the prefix's value
/// holds the suffix and the key's value (stored inline). Otherwise it holds the ID of an *overflow chain*: each suffix,
/// after the chain's ID, is a key of the overflow store, and is split again if it is too long. The order of keys is
/// preserved, and a million keys with a common prefix are a million ordinary keys.
///
/// No key of a store may be a prefix of another. Otherwise a key of exactly ``prefixLength`` bytes could be mistaken
/// for the prefix of a longer one.
enum LongKey {
    static let prefixLength = 490
}

/// The value under the prefix of long keys.
enum PrefixEntry {
    /// One long key. `suffix` is the range of its suffix in the value; the key's own value follows.
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
