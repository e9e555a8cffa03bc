// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A collection, and how the encoded names of its documents begin.
///
/// Immutable. A class, so that a copy costs one reference.
final class KnownCollection: Sendable {
    let path: CollectionPath
    private let ascending: [UInt8]
    private let descending: [UInt8]

    init(_ path: CollectionPath) {
        self.path = path
        var encoder = KeyEncoder()
        for segment in path.resource.segments { encoder.append(segment: segment) }
        ascending = encoder.bytes
        descending = ascending.map { ~$0 }
    }

    /// Where the encoded document ID is in an encoded path, whose bytes are complemented if it is `descending`. Nil if the path names
    /// no document of this collection.
    func id(in name: RawSpan, descending isDescending: Bool) -> Range<Int>? {
        let start = ascending.count
        guard startsWith(name, (isDescending ? descending : ascending).span.bytes) else { return nil }
        var reader = KeyReader(name, at: start)
        do throws(StoredFormatError) { try reader.skipSegment(descending: isDescending) } catch { return nil }
        let end = reader.offset
        // Nothing but the path's end mark may follow the ID.
        guard end + 1 == name.byteCount, name.byte(at: end) == (isDescending ? 0xFF : 0) else { return nil }
        return start..<end
    }
}
