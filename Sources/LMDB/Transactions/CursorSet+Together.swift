// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension CursorSet {
    /// Moves several cursors of one store to the first entries at or after their keys, as ``seek(_:_:)`` moves one.
    ///
    /// Where this module reads the pages, each part of the ways down is taken for all cursors before the next part, so that their
    /// cache misses overlap.
    ///
    /// - Parameter targets: no key is empty.
    package mutating func seek(_ targets: [(cursor: CursorID, key: [UInt8])]) throws(LMDBError) {
        guard readsPages, let first = targets.first else {
            for target in targets { _ = unsafe try seek(target.cursor, target.key.span.bytes) }
            return
        }
        checkOpen(first.cursor)
        let tree = unsafe try treeToRead(first.cursor)
        guard unsafe tree.depth > 1 else {
            for target in targets { _ = unsafe try seekInTree(target.cursor, target.key.span.bytes) }
            return
        }
        for (id, key) in targets {
            checkOpen(id)
            guard let sought = unsafe SoughtKey(key.span.bytes), unsafe tree.approach(sought, path(id)) else {
                throw damage()
            }
            unsafe tree.prefetchLeaf(of: path(id))
        }
        for target in targets { unsafe tree.prefetchNodes(of: path(target.cursor)) }
        for (id, key) in targets {
            guard let sought = unsafe SoughtKey(key.span.bytes) else { throw damage() }
            _ = unsafe try show(sought, at: tree.arrive(at: sought, path(id)), tree, id)
        }
    }
}

extension SoughtKey {
    /// The caller keeps the span alive. Nil if it is empty.
    @inline(__always)
    fileprivate init?(_ bytes: RawSpan) {
        guard let start = unsafe address(of: bytes) else { return nil }
        unsafe self.init(start, count: bytes.byteCount)
    }
}
