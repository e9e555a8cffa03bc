// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Keys that are looked up together, so that the waits for memory of one overlap with those of the others.
///
/// What lies apart in a large file is seldom in the processor's caches. A lookup waits for a handful of pages and entries one
/// after another; here all lookups take each step in turn, and what the next step reads is asked for meanwhile.
@safe
package struct LookupBatch: ~Copyable {
    /// As many as the processor can wait for, and some.
    package static let capacity = 32

    /// The keys' bytes, one key behind the other. Append a key, then ``endKey()``.
    package var keys: [UInt8] = []
    package private(set) var count = 0
    private var ends: [Int] = []
    private let probes: UnsafeMutablePointer<Probe>
    /// Whether the probes have been made.
    private var isFound = false

    package init() {
        unsafe probes = .allocate(capacity: LookupBatch.capacity)
        ends.reserveCapacity(LookupBatch.capacity)
        keys.reserveCapacity(LookupBatch.capacity * 24)
    }

    deinit {
        unsafe probes.deallocate()
    }

    /// Ends a key; at most ``capacity`` of them.
    package mutating func endKey() {
        require(count < LookupBatch.capacity, "A batch of lookups has no room for another key.")
        ends.append(keys.count)
        count += 1
        isFound = false
    }

    package mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Where a key lies in ``keys``.
    package func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    func result(_ index: Int) -> Tree.Found {
        require(index < count, "A batch of lookups was asked for a key that it does not have.")
        return unsafe isFound ? probes[index].result : .unknown
    }

    mutating func find(in tree: Tree) {
        unsafe keys.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for index in 0..<count {
                let range = range(index)
                let key = unsafe SoughtKey(start + range.lowerBound, count: range.count)
                unsafe (probes + index).initialize(to: Probe(key, root: tree.root))
            }
            unsafe tree.find(UnsafeMutableBufferPointer(start: probes, count: count))
            isFound = true
        }
    }
}

extension CursorSet {
    /// Looks all keys of a batch up; ``value(_:of:in:)`` then has what was found.
    package borrowing func find(_ batch: inout LookupBatch, in store: Store) {
        if let tree = unsafe tree(of: store) { unsafe batch.find(in: tree) }
    }

    /// The value under a key of a batch, exactly as ``get(_:_:)`` has it.
    @_lifetime(borrow self)
    package borrowing func value(
        _ index: Int, of batch: borrowing LookupBatch, in store: Store
    ) throws(LMDBError) -> RawSpan? {
        switch unsafe batch.result(index) {
        case .value(let value): return unsafe _overrideLifetime(RawSpan(value), borrowing: self)
        case .absent: return nil
        case .unknown: return unsafe try get(store, batch.keys.span.bytes.extracting(batch.range(index)))
        }
    }
}

/// One of several lookups made in turn.
@unsafe
private struct Probe {
    let key: SoughtKey
    /// Of the page that is entered next.
    var number: Int
    /// Nil where only LMDB can go on.
    var page: TreePage? = nil
    var search = unsafe TreePage.Search(low: 0, high: -1)
    var result = unsafe Tree.Found.unknown

    init(_ key: SoughtKey, root: Int) {
        unsafe self.key = key
        unsafe number = root
    }

    @inline(__always)
    mutating func enter(_ kind: TreePage.Kind, _ pages: PageMap) {
        unsafe page = pages.page(number, kind)
        guard let page = unsafe page else { return }
        unsafe search = page.search(kind)
        if unsafe !search.isDone { unsafe page.prefetch(search.middle) }
    }

    /// Makes one comparison; false if there is no further one in this page.
    @inline(__always)
    mutating func step() -> Bool {
        guard let page = unsafe page, unsafe !search.isDone else { return false }
        guard unsafe page.step(&search, key) else {
            unsafe self.page = nil
            return false
        }
        if unsafe search.isDone { return false }
        unsafe page.prefetch(search.middle)
        return true
    }

    /// Chooses the page below a branch.
    @inline(__always)
    mutating func descend(_ pages: PageMap, lines: Int) {
        unsafe number = page?.child(search) ?? -1
        guard let address = unsafe pages.address(of: number) else { return }
        for line in 0..<lines { unsafe hearth_prefetch(address + 64 * line) }
    }

    /// Takes what stands in the leaf.
    @inline(__always)
    mutating func finish() {
        guard let page = unsafe page else { return }
        guard unsafe search.isExact else {
            unsafe result = .absent
            return
        }
        guard let value = unsafe page.entry(search.low)?.value, let start = unsafe value.mv_data else { return }
        unsafe result = .value(value)
        for offset in unsafe stride(from: 0, to: min(value.mv_size, 512), by: 64) {
            unsafe hearth_prefetch(start + offset)
        }
    }
}

extension Tree {
    fileprivate func find(_ probes: UnsafeMutableBufferPointer<Probe>) {
        for level in unsafe stride(from: depth, through: 1, by: -1) {
            for index in 0..<probes.count { unsafe probes[index].enter(level > 1 ? .branch : .leaf, pages) }
            var goesOn = true
            while goesOn {
                goesOn = false
                for index in 0..<probes.count where unsafe probes[index].step() { goesOn = true }
            }
            for index in 0..<probes.count {
                if level == 1 {
                    unsafe probes[index].finish()
                } else {
                    // The places of a leaf's few entries stand in its first line.
                    unsafe probes[index].descend(pages, lines: level == 2 ? 2 : 4)
                }
            }
        }
    }
}
