// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import LMDB

/// Compares lookups that read the tree's pages directly with a model and with LMDB's own cursors.
@Suite struct TreeTests {
    /// Entries of a store by key, in trees of up to 4 levels, some with values on overflow pages.
    @Test(arguments: [0, 1, 5, 40, 300, 3_000, 6_000]) func lookupsFindWhatLMDBFinds(entries: Int) throws {
        var random = SeededGenerator.printingSeed()
        let folder = try TemporaryDirectory()
        // So small that the map is replaced while it grows.
        let environment = try Environment.openForTest(folder.database, mapSize: 1 << 16)
        let stores = try environment.openStores(["other", "store"], create: true)
        var model: [[UInt8]: [UInt8]] = [:]
        for round in 0..<3 {
            let before = model
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                // It runs again if the map was too small.
                model = before
                try change(&transaction, stores, &model, upTo: entries, isFirst: round == 0, &random)
            }
            try compare(environment, stores[1], model, &random)
        }
    }

    private func change(
        _ transaction: inout WriteTransaction, _ stores: [Store], _ model: inout [[UInt8]: [UInt8]], upTo count: Int,
        isFirst: Bool, _ random: inout SeededGenerator
    ) throws(LMDBError) {
        for _ in 0..<(isFirst ? 0 : count / 3) {
            guard let key = model.keys.first else { break }
            _ = try transaction.delete(stores[1], key.span.bytes)
            model[key] = nil
        }
        while model.count < count {
            let (key, value) = (longKey(&random), anyValue(&random))
            try transaction.put(stores[1], key.span.bytes, value.span.bytes)
            model[key] = value
            if model.count % 10 == 0 { try transaction.put(stores[0], key.span.bytes, value.span.bytes) }
        }
    }

    private func compare(
        _ environment: Environment, _ store: Store, _ model: [[UInt8]: [UInt8]], _ random: inout SeededGenerator
    ) throws {
        let keys = soughtKeys(model, &random)
        let seed = random.seed
        try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            let depth = try transaction.statistics(of: store).depth
            let read = try cursors.tree(of: store)?.depth
            #expect(read == depth, "the tree is not read, seed \(seed)")
            let id = try cursors.open(store)
            for key in keys {
                let isFound = try cursors.seek(id, key.span.bytes) && Array(copying: cursors.key(id)) == key
                let theirs = isFound ? Array(copying: cursors.value(id)) : nil
                #expect((theirs == model[key]) as Bool, "LMDB, seed \(seed)")
                var alone: [UInt8]?
                if let value = try transaction.get(store, key.span.bytes) { alone = Array(copying: value) }
                #expect((alone == model[key]) as Bool, "seed \(seed)")
            }
            try compareBatches(cursors, store, model, keys, seed)
            try compareSeeks(&cursors, store, keys, &random)
        }
    }

    /// Cursors that are moved together are where one alone comes to, and step on from there.
    private func compareSeeks(
        _ cursors: inout CursorSet, _ store: Store, _ keys: [[UInt8]], _ random: inout SeededGenerator
    ) throws(LMDBError) {
        let alone = try cursors.open(store)
        var rest = keys[...]
        while !rest.isEmpty {
            var targets: [(cursor: CursorID, key: [UInt8])] = []
            for key in rest.prefix(random.int(1..<31)) { targets.append((try cursors.open(store), key)) }
            rest = rest.dropFirst(targets.count)
            try cursors.seek(targets)
            for (id, key) in targets {
                let isFound = try cursors.seek(alone, key.span.bytes)
                #expect(isFound == cursors.isAtEntry(id), "seed \(random.seed)")
                for _ in 0..<3 {
                    #expect(entry(cursors, id) == entry(cursors, alone), "seed \(random.seed)")
                    let isNext = random.chance(0.5)
                    let isThere = isNext ? try cursors.next(id) : try cursors.previous(id)
                    let isSame = isThere == (isNext ? try cursors.next(alone) : try cursors.previous(alone))
                    #expect(isSame, "seed \(random.seed)")
                }
                cursors.close(id)
            }
        }
    }

    private func entry(_ cursors: borrowing CursorSet, _ id: CursorID) -> [[UInt8]] {
        cursors.isAtEntry(id) ? [Array(copying: cursors.key(id)), Array(copying: cursors.value(id))] : []
    }

    private func compareBatches(
        _ cursors: borrowing CursorSet, _ store: Store, _ model: [[UInt8]: [UInt8]], _ keys: [[UInt8]], _ seed: UInt64
    ) throws(LMDBError) {
        var batch = LookupBatch()
        var first = 0
        while first < keys.count {
            let part = keys[first..<min(first + 1 + first % LookupBatch.capacity, keys.count)]
            batch.removeAll()
            for key in part {
                batch.append(key)
            }
            cursors.find(&batch, in: store)
            for (index, key) in part.enumerated() {
                var together: [UInt8]?
                if let value = try cursors.value(index, of: batch, in: store) { together = Array(copying: value) }
                #expect((together == model[key]) as Bool, "seed \(seed)")
            }
            first += part.count
        }
    }

    /// Existing keys, keys near them, keys before the first and after the last.
    private func soughtKeys(_ model: [[UInt8]: [UInt8]], _ random: inout SeededGenerator) -> [[UInt8]] {
        var keys: [[UInt8]] = [[0], [255], Array(repeating: 255, count: 511)]
        for key in model.keys.prefix(600) {
            keys.append(key)
            if key.count < 511 { keys.append(key + [UInt8.random(in: 0...255, using: &random)]) }
            if key.count > 1 { keys.append(Array(key.dropLast())) }
            var other = key
            other[Int.random(in: 0..<key.count, using: &random)] &+= 1
            keys.append(other)
        }
        return keys.shuffled(using: &random)
    }

    /// Long, so that pages hold few of them; with few different bytes and common prefixes, so that they are hard to
    /// distinguish.
    private func longKey(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1...12, using: &random) : 350
        var key = digits(count, base: 3, &random).map { $0 &* 127 }
        if count > 100 { for index in 0..<Int.random(in: 0...20, using: &random) { key[index] = 127 } }
        return key
    }

    private func anyValue(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0..<20, using: &random) == 0 ? 9_000 : Int.random(in: 0...60, using: &random)
        return digits(count, base: 256, &random)
    }

    /// Several of each random number: to make numbers takes most of the time in debug builds.
    private func digits(_ count: Int, base: UInt64, _ random: inout SeededGenerator) -> [UInt8] {
        let share = base == 256 ? 8 : 32
        var digits: [UInt8] = []
        digits.reserveCapacity(count)
        while digits.count < count {
            var number: UInt64 = random.next()
            for _ in 0..<min(share, count - digits.count) {
                digits.append(UInt8(number % base))
                number /= base
            }
        }
        return digits
    }
}

/// Lookups over damaged pages, between pages that must not be read.
@Suite struct DamagedTreeTests {
    @Test func damagedPagesGiveAnAnswerOrNone() throws {
        var random = SeededGenerator.printingSeed()
        let (bytes, keys) = try wholeFile(&random)
        let record = recordOffset(bytes)
        let probes = UnsafeMutablePointer<Probe>.allocate(capacity: LookupBatch.capacity)
        defer { probes.deallocate() }
        let memory = PageMemory()
        defer { memory.free() }
        var tally = (values: 0, absent: 0, damaged: 0)
        for _ in 0..<400 {
            let copy = GuardedCopy(damaged(bytes, butNotAt: record, &random))
            memory.forget()
            guard let tree = Tree(TreeRecord(copy.address + record), in: copy.pages, memory) else { continue }
            walk(tree, keys.randomElement(using: &random)!)
            var batch = LookupBatch()
            for key in keys.shuffled(using: &random).prefix(LookupBatch.capacity) {
                batch.append(key)
            }
            batch.find(in: tree, with: probes)
            for index in 0..<batch.count {
                let key = Array(copying: batch.key(index))
                let alone = key.withUnsafeBytes { tree.find(SoughtKey($0.baseAddress!, count: $0.count)) }
                switch (alone, batch.result(index)) {
                case (.value(let one), .value(let other)?):
                    let isSame = place(RawSpan(one)) == place(RawSpan(other))
                    #expect(isSame, "a batch finds something else, seed \(random.seed)")
                    let isInside = copy.contains(RawSpan(one))
                    #expect(isInside, "seed \(random.seed)")
                    tally.values += 1
                case (.absent, .absent?): tally.absent += 1
                case (.damaged, .damaged?): tally.damaged += 1
                default: Issue.record("a batch finds something else, seed \(random.seed)")
                }
            }
        }
        #expect(tally.values > 0 && tally.absent > 0 && tally.damaged > 0, "\(tally), seed \(random.seed)")
    }

    /// Whatever it finds, it ends and touches no other memory.
    private func walk(_ tree: Tree, _ key: [UInt8]) {
        _ = tree.countEntriesInOrder()
        let path = PageMemory.makePath()
        defer { path.deallocate() }
        key.withUnsafeBytes { key in
            let sought = SoughtKey(key.baseAddress!, count: key.count)
            _ = tree.descend(to: sought, path)
            guard tree.approach(sought, path) else { return }
            tree.prefetchLeaf(of: path)
            tree.prefetchNodes(of: path)
        }
        guard var leaf = tree.descend(toFirst: false, path) else { return }
        while case .leaf(let previous) = tree.neighbor(isNext: false, path) {
            leaf = previous
            for index in 0..<leaf.count {
                if let value = tree.pages.value(index, of: leaf) { _ = [UInt8](copying: RawSpan(value)) }
            }
        }
    }

    /// The position of a value.
    private func place(_ value: RawSpan) -> [Int] {
        value.withUnsafeBytes { [Int(bitPattern: $0.baseAddress), $0.count] }
    }

    private func wholeFile(_ random: inout SeededGenerator) throws -> (bytes: [UInt8], keys: [[UInt8]]) {
        let folder = try TemporaryDirectory()
        let keys = (0..<400).map { bigEndian($0 * 3) + Array(repeating: 7, count: 150) }
        do {
            let environment = try Environment.openForTest(folder.database)
            let store = try environment.openStores(["a store of some depth"], create: true)[0]
            for key in keys { try environment.put(store, key, Array(repeating: 1, count: 100)) }
        }
        let file = open(folder.database, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
        #expect(pread(file, &bytes, bytes.count, 0) == bytes.count)
        return (bytes, keys)
    }

    /// The position of the store's record: in the page that the newer header names, after the store's name.
    private func recordOffset(_ bytes: [UInt8]) -> Int {
        let metas = bytes.withUnsafeBytes { bytes in [0, 4096].map { MetaPage(bytes.baseAddress! + $0) } }
        let page = metas.max { $0.transaction < $1.transaction }!.main.root * 4096
        let name = utf8("a store of some depth")
        let place = (page..<page + 4096 - name.count).first { Array(bytes[$0..<$0 + name.count]) == name }!
        return place + name.count
    }

    /// Changes what a lookup reads: page headers, entry offsets, entry headers, and anything else.
    private func damaged(_ bytes: [UInt8], butNotAt record: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let page = Int.random(in: 2..<bytes.count / 4096, using: &random) * 4096
            let place =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: page + Int.random(in: 0..<16, using: &random)
                case 1: page + Int.random(in: 16..<40, using: &random)
                case 2:
                    page
                        + (bytes.withUnsafeBytes { $0.baseAddress!.short(at: page + 16) }
                            + Int.random(in: 0..<8, using: &random)) % 4096
                default: page + Int.random(in: 0..<4096, using: &random)
                }
            if place / 4096 != record / 4096 {
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }
}

/// A copy of a file's bytes between memory that must not be accessed.
private final class GuardedCopy {
    private let whole: UnsafeMutableRawPointer
    private let count: Int
    private let pageBytes: Int
    let address: UnsafeRawPointer
    let pages: PageMap

    init(_ bytes: [UInt8]) {
        let fence = 1 << 20
        pageBytes = bytes.count
        count = bytes.count + 2 * fence
        whole = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let start = whole + fence
        mprotect(start, bytes.count, PROT_READ | PROT_WRITE)
        bytes.withUnsafeBytes { start.copyMemory(from: $0.baseAddress!, byteCount: bytes.count) }
        address = UnsafeRawPointer(start)
        pages = PageMap(base: start, pageSize: 4096, pageCount: bytes.count / 4096)
    }

    deinit {
        munmap(whole, count)
    }

    func contains(_ value: RawSpan) -> Bool {
        value.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            return start >= address && start + bytes.count <= address + pageBytes
        }
    }
}

extension LookupBatch {
    /// Appends a key as two parts, the second complemented.
    fileprivate mutating func append(_ key: [UInt8]) {
        let first = Array(key[..<(key.count / 2)])
        let second = key[first.count...].map { ~$0 }
        append(first.span.bytes, second.span.bytes, complemented: true)
    }
}
