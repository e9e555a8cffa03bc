// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension PageAudit {
    enum Content {
        case names
        case entries(String)
        case freePages

        var store: String? {
            if case .entries(let name) = self { name } else { nil }
        }
    }

    /// What one walk has seen.
    struct Walk {
        let owner: String
        let content: Content
        let record: TreeRecord
        var branchPages = 0
        var leafPages = 0
        var overflowPages = 0
        var entries = 0
        /// The stores that the main tree names.
        var stores: [(String, TreeRecord)] = []

        var agreesWithRecord: Bool {
            record.entries == entries && record.branchPages == branchPages && record.leafPages == leafPages
                && record.overflowPages == overflowPages
        }
    }

    /// The keys between which those of a page must lie: from `lower` to just below `upper`.
    @unsafe
    private struct Bounds {
        var lower: MDB_val?
        var upper: MDB_val?
    }

    /// - Returns: The stores that the tree names, and its root in the copy.
    @discardableResult
    mutating func walk(
        _ record: TreeRecord, _ owner: String, _ content: Content
    ) -> (stores: [(String, TreeRecord)], root: Int) {
        var walk = Walk(owner: owner, content: content, record: record)
        var root = PageFormat.Record.noPage
        if !record.isEmpty {
            guard (1...PageFormat.maximumDepth).contains(record.depth) else {
                note("\(owner) has an impossible depth")
                return ([], root)
            }
            root = unsafe visit(record.root, depth: record.depth, Bounds(), &walk) ?? root
        }
        if case .entries = content, record.flags != 0 { note("\(owner) has keys in another order than Hearth's") }
        if !walk.agreesWithRecord {
            note("\(owner) does not have the pages and entries that its record tells of", disordered: content.store)
        }
        return (walk.stores, root)
    }

    @unsafe
    private mutating func visit(_ number: Int, depth: Int, _ bounds: Bounds, _ walk: inout Walk) -> Int? {
        let kind: PageFormat.Kind = depth > 1 ? .branch : .leaf
        return unsafe read(number, kind, walk.owner) { audit, bytes in
            if kind == .branch { walk.branchPages += 1 } else { walk.leafPages += 1 }
            guard let buffer = unsafe BufferPage(at: bytes, size: audit.file.pageSize, kind),
                unsafe buffer.page.hasNodesInPlace(kind)
            else {
                audit.note("page \(number) of \(walk.owner) has entries out of place")
                return nil
            }
            let page = unsafe buffer.page
            if unsafe !audit.isInOrder(page, kind, bounds, walk.content) {
                audit.note("page \(number) of \(walk.owner) has keys out of order", disordered: walk.content.store)
            }
            for index in unsafe 0..<page.count {
                if kind == .leaf {
                    unsafe audit.visitEntry(buffer, index, &walk)
                } else if let child = unsafe page.child(index) {
                    let lower = unsafe index == 0 ? bounds.lower : page.key(index)
                    let upper = unsafe index + 1 < page.count ? page.key(index + 1) : bounds.upper
                    let copied = unsafe audit.visit(
                        child, depth: depth - 1, Bounds(lower: lower, upper: upper), &walk)
                    if let copied { unsafe buffer.setChild(index, copied) }
                }
            }
            guard let copy = audit.copy, !audit.isOver else { return nil }
            unsafe buffer.clearUnusedBytes()
            return unsafe copy.append(bytes, count: audit.file.pageSize)
        }
    }

    @unsafe
    private func isInOrder(_ page: TreePage, _ kind: PageFormat.Kind, _ bounds: Bounds, _ content: Content) -> Bool {
        var previous = unsafe bounds.lower
        // Node 0 of a branch has no key.
        for index in unsafe (kind == .branch ? 1 : 0)..<page.count {
            let key = unsafe page.key(index)
            let mayBeEqual = kind == .leaf && index == 0
            guard unsafe isOrdered(previous, key, orEqual: mayBeEqual, content) else { return false }
            unsafe previous = unsafe key
        }
        return unsafe isOrdered(previous, bounds.upper, orEqual: false, content)
    }

    @unsafe
    private func isOrdered(_ one: MDB_val?, _ other: MDB_val?, orEqual: Bool, _ content: Content) -> Bool {
        guard let one = unsafe one, let other = unsafe other else { return true }
        guard case .freePages = content else {
            let order = unsafe compareBytes(RawSpan(one), RawSpan(other))
            return order < 0 || (orEqual && order == 0)
        }
        // The free list's keys are transaction numbers.
        guard let first = unsafe one.number, let second = unsafe other.number else { return false }
        return first < second || (orEqual && first == second)
    }
}

extension MDB_val {
    fileprivate var number: Int? {
        unsafe mv_size == 8 ? UnsafeRawPointer(mv_data).map { unsafe $0.integer(at: 0) } : nil
    }
}
