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
        for target in targets { checkOpen(target.cursor) }
        if readsPages, let first = targets.first {
            let tree = unsafe try treeToRead(first.cursor)
            if unsafe tree.depth > 1 { return unsafe try seek(targets, in: tree) }
        }
        for target in targets { _ = unsafe try seek(target.cursor, target.key.span.bytes) }
    }

    @unsafe
    private borrowing func seek(
        _ targets: [(cursor: CursorID, key: [UInt8])], in tree: Tree
    ) throws(LMDBError) {
        for (id, key) in targets {
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
