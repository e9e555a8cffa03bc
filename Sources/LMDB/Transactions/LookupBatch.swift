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

    @unsafe
    private struct Row {
        /// Where the key ends.
        let end: Int
        /// Nil if the keys have not been looked up together.
        var result: Tree.Found?
    }

    private let rows: UnsafeMutablePointer<Row>
    /// The keys, one behind the other.
    private var bytes: UnsafeMutableRawPointer
    private var room: Int
    package private(set) var count = 0
    /// The bytes of all values; nil unless all keys have been looked up together and found.
    package private(set) var valueByteCount: Int?

    /// - Parameter count: how many keys are expected at a time.
    package init(count: Int = LookupBatch.capacity) {
        unsafe rows = .allocate(capacity: LookupBatch.capacity)
        room = max(min(count, LookupBatch.capacity), 1) * 32
        unsafe bytes = .allocate(byteCount: room, alignment: 1)
    }

    deinit {
        unsafe rows.deallocate()
        unsafe bytes.deallocate()
    }

    /// Of all keys.
    package var byteCount: Int { count == 0 ? 0 : unsafe rows[count - 1].end }

    /// Appends a key of two parts. There may be ``capacity`` keys.
    ///
    /// - Parameter complemented: whether the key has the complement of the second part.
    package mutating func append(_ first: RawSpan, _ second: RawSpan, complemented: Bool) {
        require(count < LookupBatch.capacity, "A batch of lookups has no room for another key.")
        let start = byteCount
        let middle = start + first.byteCount
        let end = middle + second.byteCount
        if end > room { grow(to: end) }
        unsafe copy(first, to: start)
        unsafe copy(second, to: middle)
        if complemented {
            for index in middle..<end {
                let byte = unsafe bytes.load(fromByteOffset: index, as: UInt8.self)
                unsafe bytes.storeBytes(of: ~byte, toByteOffset: index, as: UInt8.self)
            }
        }
        unsafe (rows + count).initialize(to: Row(end: end, result: nil))
        count += 1
        valueByteCount = nil
    }

    @unsafe @inline(__always)
    private func copy(_ part: RawSpan, to offset: Int) {
        guard let start = unsafe address(of: part) else { return }
        unsafe (bytes + offset).copyMemory(from: start, byteCount: part.byteCount)
    }

    @inline(never)
    private mutating func grow(to size: Int) {
        let used = byteCount
        room = max(size, 2 * room)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 1)
        unsafe larger.copyMemory(from: bytes, byteCount: used)
        unsafe bytes.deallocate()
        unsafe bytes = unsafe larger
    }

    package mutating func removeAll() {
        count = 0
        valueByteCount = nil
    }

    /// Where a key's bytes are.
    @inline(__always)
    private func range(_ index: Int) -> Range<Int> { unsafe (index == 0 ? 0 : rows[index - 1].end)..<rows[index].end }

    @_lifetime(borrow self)
    package func key(_ index: Int) -> RawSpan {
        require(index >= 0 && index < count, "A batch of lookups was asked for a key that it does not have.")
        let range = range(index)
        let bytes = unsafe UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count)
        return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
    }

    /// Nil if the keys have not been looked up together.
    func result(_ index: Int) -> Tree.Found? {
        require(index >= 0 && index < count, "A batch of lookups was asked for a key that it does not have.")
        return unsafe rows[index].result
    }

    /// - Parameter probes: room for ``capacity`` of them.
    mutating func find(in tree: Tree, with probes: UnsafeMutablePointer<Probe>) {
        for index in 0..<count {
            let range = range(index)
            let key = unsafe SoughtKey(bytes + range.lowerBound, count: range.count)
            unsafe (probes + index).initialize(to: Probe(key, in: tree))
        }
        unsafe tree.find(UnsafeMutableBufferPointer(start: probes, count: count))
        var (valueBytes, found) = (0, 0)
        for index in 0..<count {
            let result = unsafe probes[index].result
            unsafe rows[index].result = unsafe result
            guard case .value(let value) = unsafe result else { continue }
            unsafe valueBytes += value.mv_size
            found += 1
        }
        valueByteCount = found == count ? valueBytes : nil
    }
}

extension CursorSet {
    /// Looks up all keys of a batch; ``value(_:of:in:)`` then returns what was found.
    package borrowing func find(_ batch: inout LookupBatch, in store: Store) {
        // What fails here fails again, and is thrown, where a value is asked for.
        guard kind == .read, let tree = unsafe try? tree(of: store) else { return }
        unsafe batch.find(in: tree, with: withReader { unsafe $0.probes })
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
        case nil: return try get(store, batch.key(index))
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
        unsafe pages.prefetch(number, lines: lines)
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
                    unsafe probes[index].descend(pages, lines: level == 2 ? 1 : TreePage.firstLines)
                }
            }
        }
    }
}
