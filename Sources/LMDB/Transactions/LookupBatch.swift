// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Keys that are looked up together, so that their cache misses overlap.
///
/// The pages of a large file are seldom in the processor's caches, and a single lookup waits for a handful of them in turn.
/// Here all lookups take each step one after another, and prefetch what their next step reads.
@safe
package struct LookupBatch: ~Copyable {
    /// About as many cache misses as a processor can have under way.
    package static let capacity = 32

    /// The keys' bytes, one key behind the other. Append a key, then call ``endKey()``.
    package var keys: [UInt8] = []
    /// Where each key begins, and where the last one ends.
    private var bounds = [0]
    /// One for each key, once they have been looked up.
    private var results: [Tree.Found] = unsafe []

    /// - Parameter count: how many keys are expected at a time.
    package init(count: Int = LookupBatch.capacity) {
        let count = min(count, LookupBatch.capacity)
        bounds.reserveCapacity(count + 1)
        keys.reserveCapacity(count * 32)
        unsafe results.reserveCapacity(count)
    }

    package var count: Int { bounds.count - 1 }

    /// Ends a key. There may be ``capacity`` of them.
    package mutating func endKey() {
        require(count < LookupBatch.capacity, "A batch of lookups has no room for another key.")
        bounds.append(keys.count)
    }

    package mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        bounds.removeLast(count)
        unsafe results.removeAll(keepingCapacity: true)
    }

    /// The place of a key in ``keys``.
    package func range(_ index: Int) -> Range<Int> { bounds[index]..<bounds[index + 1] }

    /// Nil if the keys have not been looked up together.
    func result(_ index: Int) -> Tree.Found? {
        require(index < count, "A batch of lookups was asked for a key that it does not have.")
        return unsafe index < results.count ? results[index] : nil
    }

    /// - Parameter probes: room for ``capacity`` of them.
    mutating func find(in tree: Tree, with probes: UnsafeMutablePointer<Probe>) {
        unsafe results.removeAll(keepingCapacity: true)
        unsafe keys.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for index in 0..<count {
                let range = range(index)
                let key = unsafe SoughtKey(start + range.lowerBound, count: range.count)
                unsafe (probes + index).initialize(to: Probe(key, in: tree))
            }
            unsafe tree.find(UnsafeMutableBufferPointer(start: probes, count: count))
            for index in 0..<count { unsafe results.append(probes[index].result) }
        }
    }
}

extension CursorSet {
    /// Looks up all keys of a batch; ``value(_:of:in:)`` then returns what was found.
    package borrowing func find(_ batch: inout LookupBatch, in store: Store) {
        // What fails here fails again, and is thrown, where a value is asked for.
        guard owner.kind == .read, let tree = unsafe try? tree(of: store) else { return }
        unsafe batch.find(in: tree, with: unsafeDowncast(owner, to: Reader.self).probes)
    }

    /// The value under a key of a batch, exactly as ``get(_:_:)`` returns it.
    @_lifetime(borrow self)
    package borrowing func value(
        _ index: Int, of batch: borrowing LookupBatch, in store: Store
    ) throws(LMDBError) -> RawSpan? {
        switch unsafe batch.result(index) {
        case .value(let value)?: return unsafe _overrideLifetime(RawSpan(value), borrowing: self)
        case .absent?: return nil
        case .damaged?: throw LMDBError(MDB_CORRUPTED, .get)
        case nil: return unsafe try get(store, batch.keys.span.bytes.extracting(batch.range(index)))
        }
    }
}

/// One of several lookups whose steps are interleaved.
@unsafe
struct Probe {
    fileprivate let key: SoughtKey
    /// Of the page that is entered next.
    private var number: Int
    /// Nil if the lookup met damage.
    private var page: TreePage? = nil
    private var search = unsafe TreePage.Search(left: 0)
    fileprivate var result: Tree.Found

    fileprivate init(_ key: SoughtKey, in tree: Tree) {
        unsafe self.key = key
        unsafe number = tree.root
        unsafe result = tree.depth == 0 ? .absent : .damaged
    }

    /// - Returns: how many nodes there are to search.
    @inline(__always)
    fileprivate mutating func enter(_ kind: PageFormat.Kind, _ pages: PageMap) -> Int {
        unsafe page = pages.page(number, kind)
        guard let page = unsafe page else {
            unsafe search = TreePage.Search(left: 0)
            return 0
        }
        unsafe search = page.search
        unsafe page.prefetch(search)
        return unsafe page.count
    }

    /// Makes one comparison, if there is a further one in this page.
    @inline(__always)
    fileprivate mutating func step() {
        guard unsafe !search.isDone, let page = unsafe page else { return }
        if unsafe page.step(&search, key) {
            unsafe page.prefetch(search)
        } else {
            unsafe self.page = nil
            unsafe search = TreePage.Search(left: 0)
        }
    }

    /// Chooses the page below a branch.
    @inline(__always)
    fileprivate mutating func descend(_ pages: PageMap, lines: Int) {
        unsafe number = page?.child(search.low) ?? -1
        guard let address = unsafe pages.address(of: number) else { return }
        for line in 0..<lines { unsafe hearth_prefetch(address + 64 * line) }
    }

    /// Takes the value from the leaf.
    @inline(__always)
    fileprivate mutating func finish(_ tree: Tree) {
        guard let page = unsafe page else { return }
        unsafe result = tree.found(search.low, of: page, key)
        guard case .value(let value) = unsafe result, let start = unsafe value.mv_data else { return }
        for offset in unsafe stride(from: 0, to: min(value.mv_size, 512), by: 64) {
            unsafe hearth_prefetch(start + offset)
        }
    }
}

extension Tree {
    fileprivate func find(_ probes: UnsafeMutableBufferPointer<Probe>) {
        for level in unsafe stride(from: depth, through: 1, by: -1) {
            var left = 0
            for index in 0..<probes.count {
                left = unsafe max(left, probes[index].enter(level > 1 ? .branch : .leaf, pages))
            }
            while left > 1 {
                for index in 0..<probes.count { unsafe probes[index].step() }
                left -= left >> 1
            }
            for index in 0..<probes.count {
                if level == 1 {
                    unsafe probes[index].finish(self)
                } else {
                    // A leaf has few entries, whose offsets are in its first line.
                    unsafe probes[index].descend(pages, lines: level == 2 ? 1 : 4)
                }
            }
        }
    }
}
